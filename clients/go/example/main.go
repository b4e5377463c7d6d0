// Command example creates a token, a link and a webhook, verifies a delivery, and prints two clicks.
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
	token := must(linkservice.New(url, os.Getenv("LINK_SERVICE_TOKEN")).Tokens.Create(ctx, linkservice.CreateToken{Name: "example"}))
	client := linkservice.New(url, token.Token)

	listener := must(net.Listen("tcp", "127.0.0.1:0"))
	webhook := must(client.Webhooks.Create(ctx, linkservice.CreateWebhook{
		URL:    fmt.Sprintf("http://%s/hook", listener.Addr()),
		Events: []linkservice.EventSubscription{linkservice.EventSubscriptionLinkCreated},
	}))
	events := make(chan *linkservice.Event)
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		event, err := linkservice.VerifyWebhook(r, *webhook.Secret)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		events <- event
	}))

	must(client.Links.Create(ctx, linkservice.CreateLink{URL: "https://example.com/", Slug: "first"}))
	for link, err := range client.Links.List(ctx, nil).All() {
		fmt.Println("link", must(link, err).Slug)
	}
	if created, ok := (<-events).Typed().(*linkservice.LinkCreatedEvent); ok {
		fmt.Println("verified", created.Data.Link.Slug)
	}
	clicks := 0
	for row, err := range client.Clicks.Follow(ctx, "", nil) {
		fmt.Println("click", must(row, err).Item.Slug)
		if clicks++; clicks == 2 {
			break
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
