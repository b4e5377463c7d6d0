// Command example creates a token, a webhook and a link, verifies a delivery, and waits for two clicks. Run it in
// clients/go, with a service that allows webhooks to this machine:
//
//	WEBHOOK_ALLOW_HTTP=true WEBHOOK_ALLOWED_CIDRS=127.0.0.0/8 npm start
//	LINK_SERVICE_URL=http://localhost:3000/api LINK_SERVICE_TOKEN=lsk_live_... go run ./example
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"

	"link-service.example/linkservice"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) (err error) {
	url := os.Getenv("LINK_SERVICE_URL")
	admin := linkservice.New(url, os.Getenv("LINK_SERVICE_TOKEN"))
	token, err := admin.Tokens.Create(ctx, linkservice.CreateToken{Name: "example"})
	if err != nil {
		return err
	}
	client := linkservice.New(url, token.Token)
	// The context may have ended.
	defer func() { err = errors.Join(err, client.Tokens.RevokeSelf(context.Background())) }()

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	defer listener.Close()
	webhook, err := client.Webhooks.Create(ctx, linkservice.CreateWebhook{
		URL:    fmt.Sprintf("http://%s/hook", listener.Addr()),
		Events: []linkservice.EventSubscription{linkservice.EventSubscriptionLinkCreated},
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, client.Webhooks.Delete(context.Background(), webhook.ID)) }()
	verified := make(chan *linkservice.Event, 1)
	go http.Serve(listener, receive(*webhook.Secret, verified))

	link, err := client.Links.Create(ctx, linkservice.CreateLink{URL: "https://example.com/"})
	if err != nil {
		return err
	}
	fmt.Println("link", link.Slug)
	select {
	case event := <-verified:
		if created, ok := event.Typed().(*linkservice.LinkCreatedEvent); ok {
			fmt.Println("verified", created.Data.Link.Slug)
		}
	case <-ctx.Done():
		return nil
	}
	fmt.Println("Open this URL twice:", link.ShortURL)
	return printClicks(ctx, client, link.ID, 2)
}

// receive verifies deliveries, and sends the first event to the channel.
func receive(secret string, verified chan<- *linkservice.Event) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		event, err := linkservice.VerifyWebhook(r, secret)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		select {
		case verified <- event:
		default: // Do not block when nobody waits for more events.
		}
		w.WriteHeader(http.StatusNoContent)
	}
}

func printClicks(ctx context.Context, client *linkservice.Client, linkID string, limit int) error {
	clicks := 0
	for row, err := range client.Clicks.Follow(ctx, "", &linkservice.ListClicksQuery{LinkID: linkID}) {
		if err != nil {
			return err
		}
		fmt.Println("click", row.Item.Slug)
		if clicks++; clicks == limit {
			break
		}
	}
	return nil
}
