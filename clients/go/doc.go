// Package linkservice is the client of Link Service, a self-hosted link shortener: short links, click counts, scoped
// tokens and signed webhooks.
//
//	client := linkservice.New("http://localhost:3000/api", os.Getenv("LINK_SERVICE_TOKEN"))
//	link, err := client.Links.Create(ctx, linkservice.CreateLink{URL: "https://example.com/spring"})
//
// The methods of a [Client] are grouped by resource. They retry temporary failures, and return an [*Error] when a call
// fails. A Client is safe for concurrent use.
//
// # Requests
//
// A field of a request that has its zero value is not sent. Fields that can be null, and fields whose zero value has a
// meaning, are of type [Optional]: use [Set] and [Null]. A nil slice is not sent, an empty slice is. A query or body that
// a method takes as a pointer may be nil.
//
// # Responses
//
// A field that can be null or absent is a pointer, a slice, a map or a json.RawMessage, which is nil then. Values of
// string types that a newer service has added are kept as they are. Fields that this package does not know are in
// RawJSON, a method of every response.
package linkservice
