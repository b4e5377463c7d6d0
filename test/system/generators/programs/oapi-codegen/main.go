// Uses the client that oapi-codegen generates.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"

	"example.com/program/linkservice"
)

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("LINK_SERVICE_TOKEN"))
		return nil
	}
	client, err := linkservice.NewClientWithResponses(
		os.Getenv("LINK_SERVICE_URL"),
		linkservice.WithRequestEditorFn(authorize),
	)
	if err != nil {
		return err
	}
	ctx := context.Background()

	link, err := client.CreateLinkWithResponse(ctx, nil, linkservice.CreateLink{Url: "https://example.com/spring"})
	if err != nil {
		return err
	}
	fmt.Println("Created", link.JSON201.Url)
	one := int64(1)
	links, err := client.ListLinksWithResponse(ctx, &linkservice.ListLinksParams{Limit: &one})
	if err != nil {
		return err
	}
	fmt.Println("Listed", links.JSON200.Data[0].Url)

	webhook, err := client.CreateWebhookWithResponse(ctx, nil, linkservice.CreateWebhook{
		Url:    os.Getenv("WEBHOOK_URL"),
		Events: []linkservice.EventSubscription{"link.created", "*"},
	})
	if err != nil {
		return err
	}
	fmt.Println("Webhook for", strings.Join(webhook.JSON201.Events, ", "))
	test, err := client.SendTestEventWithBodyWithResponse(ctx, webhook.JSON201.Id, "application/json", nil)
	if err != nil {
		return err
	}
	fmt.Println("Test delivered:", test.JSON200.Delivered)

	hundred := int64(100)
	events, err := client.ListEventsWithResponse(ctx, &linkservice.ListEventsParams{Limit: &hundred})
	if err != nil {
		return err
	}
	for _, listed := range events.JSON200.Data {
		event, err := client.GetEventWithResponse(ctx, listed.Id)
		if err != nil {
			return err
		}
		line, err := json.Marshal(map[string]any{"type": event.JSON200.Type, "data": event.JSON200.Data})
		if err != nil {
			return err
		}
		fmt.Println(string(line))
	}
	return nil
}
