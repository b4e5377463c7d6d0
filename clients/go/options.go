package linkservice

import (
	"errors"
	"net/http"
	"time"
)

// Option configures a client.
type Option func(*transport)

// HTTPClient sends the requests with this client. Redirects are not followed.
func HTTPClient(client *http.Client) Option {
	return func(t *transport) { t.http = client }
}

// TokenSource is called before each attempt, for tokens that change.
func TokenSource(token func() (string, error)) Option {
	return func(t *transport) { t.token = token }
}

// Timeout limits each attempt of a call, including the response body; 30 seconds by default. 0 means no limit. A download
// is limited until the first byte, and an upload not at all. The context limits the whole call.
func Timeout(limit time.Duration) Option {
	return func(t *transport) { t.timeout = limit }
}

// MaxRetries limits the retries of a call; 3 by default.
func MaxRetries(limit int) Option {
	return func(t *transport) { t.maxRetries = limit }
}

// MaxRetryWait is the longest accepted Retry-After; 60 seconds by default.
func MaxRetryWait(limit time.Duration) Option {
	return func(t *transport) { t.maxRetryWait = limit }
}

// OnRetry is called before the delay of each retry.
func OnRetry(callback func(Retry)) Option {
	return func(t *transport) { t.onRetry = callback }
}

// UserAgent replaces the User-Agent of requests.
func UserAgent(name string) Option {
	return func(t *transport) { t.userAgent = name }
}

// PollInterval is the maximum delay between two requests of Follow; 5 seconds by default.
func PollInterval(limit time.Duration) Option {
	return func(t *transport) { t.pollInterval = limit }
}

// Retry is passed to OnRetry.
type Retry struct {
	Err  *Error
	Wait time.Duration
	// Attempts is the number of attempts so far.
	Attempts int
}

// CreateOption is an option of a call that creates something.
type CreateOption func(*request)

// IdempotencyKey sets the key of a call. Calls with the same key and body within 24 hours have one effect. By default, each
// call gets a new key.
func IdempotencyKey(key string) CreateOption {
	return func(r *request) { r.idempotencyKey = key }
}

// ContentType sets the media type of a file for Imports.Create: text/csv or application/x-ndjson. Set it for an NDJSON
// export of another service. Other calls ignore it.
func ContentType(mediaType string) CreateOption {
	return func(r *request) {
		if r.file != nil {
			r.file.contentType = mediaType
		}
	}
}

// UpdateOption is an option of a call that changes or deletes an object.
type UpdateOption func(*request)

var errNoETag = errors.New("linkservice: This object has no entity tag. Get it first: objects in lists have none.")

// IfMatch rejects the call with 412 unless this is the current version of the object. See the method ETag of responses. If
// etag is empty, the call is not sent and returns an error.
func IfMatch(etag string) UpdateOption {
	return func(r *request) {
		r.ifMatch = etag
		if etag == "" {
			r.optionError = errNoETag
		}
	}
}

func applyOptions[O ~func(*request)](r request, options []O) request {
	for _, option := range options {
		option(&r)
	}
	return r
}
