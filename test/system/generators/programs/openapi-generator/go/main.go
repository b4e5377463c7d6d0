// Uses the client that openapi-generator generates for Go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
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
	configuration := linkservice.NewConfiguration()
	configuration.Servers = linkservice.ServerConfigurations{{URL: os.Getenv("LINK_SERVICE_URL")}}
	client := linkservice.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), linkservice.ContextAccessToken, os.Getenv("LINK_SERVICE_TOKEN"))

	link, _, err := client.LinksAPI.CreateLink(ctx).
		CreateLink(*linkservice.NewCreateLink("https://example.com/spring")).
		Execute()
	if err != nil {
		return err
	}
	fmt.Println("Created", link.Url)
	links, _, err := client.LinksAPI.ListLinks(ctx).Limit(1).Execute()
	if err != nil {
		return err
	}
	fmt.Println("Listed", links.Data[0].Url)

	webhook, _, err := client.WebhooksAPI.CreateWebhook(ctx).
		CreateWebhook(*linkservice.NewCreateWebhook(os.Getenv("WEBHOOK_URL"), []string{"link.created", "*"})).
		Execute()
	if err != nil {
		return err
	}
	fmt.Println("Webhook for", strings.Join(webhook.Events, ", "))
	test, _, err := client.DeliveriesAPI.SendTestEvent(ctx, webhook.Id).Execute()
	if err != nil {
		return err
	}
	fmt.Println("Test delivered:", test.Delivered)

	events, _, err := client.EventsAPI.ListEvents(ctx).Limit(100).Execute()
	if err != nil {
		return err
	}
	for _, listed := range events.Data {
		event, _, err := client.EventsAPI.GetEvent(ctx, listed.Id).Execute()
		if err != nil {
			return err
		}
		line, err := json.Marshal(map[string]any{"type": event.Type, "data": event.Data})
		if err != nil {
			return err
		}
		fmt.Println(string(line))
	}
	return nil
}
