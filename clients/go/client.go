package linkservice

import (
	"net/http"
	"time"
)

const (
	defaultBaseURL      = "http://localhost:3000/api"
	defaultTimeout      = 30 * time.Second
	defaultMaxRetries   = 3
	defaultMaxRetryWait = 60 * time.Second
	defaultPollInterval = 5 * time.Second
)

// Client calls the API. Create it with New.
type Client struct {
	Links     *LinksService
	Clicks    *ClicksService
	Analytics *AnalyticsService
	Events    *EventsService
	Imports   *ImportsService
	Tags      *TagsService
	Webhooks  *WebhooksService
	Notices   *NoticesService
	Tokens    *TokensService
	AuditLog  *AuditLogService
	Instance  *InstanceService

	transport *transport
}

// New returns a client of the service with this URL, such as https://links.example/api. The default is
// http://localhost:3000/api. Without a token, only calls that need none succeed. If the URL or the token is invalid,
// every call returns an error.
func New(baseURL, token string, options ...Option) *Client {
	if baseURL == "" {
		baseURL = defaultBaseURL
	}
	t := &transport{
		http:         &http.Client{},
		token:        func() (string, error) { return token, nil },
		timeout:      defaultTimeout,
		maxRetries:   defaultMaxRetries,
		maxRetryWait: defaultMaxRetryWait,
		pollInterval: defaultPollInterval,
		userAgent:    "link-service-go/" + apiVersion,
	}
	t.baseURL, t.configError = normalizeBaseURL(baseURL)
	return newClient(t, options)
}

// With returns a client with the same connection and other options.
//
//	err := client.With(linkservice.MaxRetries(0)).Links.Delete(ctx, id)
func (c *Client) With(options ...Option) *Client {
	t := *c.transport
	return newClient(&t, options)
}

func newClient(t *transport, options []Option) *Client {
	for _, option := range options {
		option(t)
	}
	// The API never redirects. Do not send the token to another server.
	noRedirects := *t.http
	noRedirects.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.http = &noRedirects
	return &Client{
		Links:     &LinksService{t},
		Clicks:    &ClicksService{t},
		Analytics: &AnalyticsService{t},
		Events:    &EventsService{t},
		Imports:   &ImportsService{t},
		Tags:      &TagsService{t},
		Webhooks:  &WebhooksService{t},
		Notices:   &NoticesService{t},
		Tokens:    &TokensService{t},
		AuditLog:  &AuditLogService{t},
		Instance:  &InstanceService{t},
		transport: t,
	}
}
