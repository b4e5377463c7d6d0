// Command example creates a token, a webhook and a link, verifies a delivery, lists links, and waits for two clicks.
// Run it in clients/go, with a service that allows webhooks to this machine:
//
//	WEBHOOK_ALLOW_HTTP=true WEBHOOK_ALLOWED_CIDRS=127.0.0.0/8 npm start
//	LINK_SERVICE_URL=http://localhost:3000/api LINK_SERVICE_TOKEN=lsk_live_... go run ./example
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"

	"link-service.example/linkservice"
)

func main() {
	ctx := context.Background()
	url := os.Getenv("LINK_SERVICE_URL")
	admin := linkservice.New(url, os.Getenv("LINK_SERVICE_TOKEN"))
	token := must(admin.Tokens.Create(ctx, linkservice.CreateToken{
		Name:      "example",
		ExpiresIn: linkservice.Set("1h"),
	}))
	client := linkservice.New(url, token.Token)

	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	webhook := must(client.Webhooks.Create(ctx, linkservice.CreateWebhook{
		URL:    fmt.Sprintf("http://%s/hook", listener.Addr()),
		Events: []linkservice.EventSubscription{linkservice.EventSubscriptionLinkCreated},
	}))
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := linkservice.VerifyWebhook(r, *webhook.Secret)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if created, ok := event.Typed().(*linkservice.LinkCreatedEvent); ok {
			fmt.Println("verified", created.Data.Link.Slug)
		}
	}))

	link := must(client.Links.Create(ctx, linkservice.CreateLink{URL: "https://example.com/"}))
	for _, newest := range must(client.Links.List(ctx, nil).Collect(1)) {
		fmt.Println("listed", newest.Slug)
	}
	fmt.Println("Open this URL twice:", link.ShortURL)
	clicks := 0
	for row, err := range client.Clicks.Follow(ctx, "", &linkservice.ListClicksQuery{LinkID: link.ID}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("click", row.Item.Slug)
		if clicks++; clicks == 2 {
			break
		}
	}
	if err := client.Webhooks.Delete(ctx, webhook.ID); err != nil {
		log.Fatal(err)
	}
}

func must[T any](result T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return result
}
