// WEBHOOK_SECRET=whsec_… verify BODY-FILE ID TIMESTAMP SIGNATURE
package main

import (
	"log"
	"net/http"
	"os"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func main() {
	webhook, err := standardwebhooks.NewWebhook(os.Getenv("WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	body, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	headers := http.Header{}
	headers.Set("webhook-id", os.Args[2])
	headers.Set("webhook-timestamp", os.Args[3])
	headers.Set("webhook-signature", os.Args[4])
	if err := webhook.Verify(body, headers); err != nil {
		log.Fatal(err)
	}
}
