package linkservice

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// transport sends calls, retries temporary failures, and converts error responses to errors.
type transport struct {
	baseURL string
	// configError is returned by every call.
	configError  error
	http         *http.Client
	token        func() (string, error)
	timeout      time.Duration
	maxRetries   int
	maxRetryWait time.Duration
	// retriesForever also accepts every Retry-After.
	retriesForever bool
	pollInterval   time.Duration
	onRetry        func(Retry)
	userAgent      string
}

// fetchJSON returns the decoded response of a call.
func fetchJSON[T any](ctx context.Context, t *transport, r request) (*T, error) {
	var result *T
	err := t.send(ctx, r, func(received *http.Response, _ context.CancelFunc) error {
		body, err := io.ReadAll(received.Body)
		if err != nil {
			return err
		}
		result = new(T)
		if !bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) || json.Unmarshal(body, result) != nil {
			return responseError(received.StatusCode, received.Header, body)
		}
		if object, ok := any(result).(interface{ setETag(string) }); ok {
			object.setETag(received.Header.Get("ETag"))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return result, nil
}

// sendOnly sends a call whose response has no body.
func sendOnly(ctx context.Context, t *transport, r request) error {
	return t.send(ctx, r, func(received *http.Response, _ context.CancelFunc) error {
		_, err := io.Copy(io.Discard, received.Body)
		return err
	})
}

// errHandedOver is returned by a responseReader that keeps the response open.
var errHandedOver = errors.New("handed over")

// responseReader reads a successful response. It may return errHandedOver to read on after the call, and then calls cancel.
type responseReader func(received *http.Response, cancel context.CancelFunc) error

// send sends a request with retries. The time limit of an attempt includes `read`.
func (t *transport) send(ctx context.Context, r request, read responseReader) error {
	if t.configError != nil {
		return t.configError
	}
	prepared, err := prepareRequest(t.baseURL, r)
	if err != nil {
		return err
	}
	timeout := t.timeout
	if r.hasNoTimeout {
		timeout = 0
	}
	// The first error of an attempt that the service may have processed.
	var ambiguousError *Error
	for attempts := 1; ; attempts++ {
		err := t.try(ctx, prepared, timeout, read)
		var failure *Error
		if !errors.As(err, &failure) {
			return err
		}
		if ambiguousError != nil {
			// An earlier attempt deleted the object, but its response was lost.
			if prepared.method == "DELETE" && isGone(prepared.url, failure) {
				return nil
			}
			// The conflicting change may be this call's own earlier attempt.
			if failure.Is(ErrPreconditionFailed) {
				return ambiguousError
			}
		}
		wait, isRetry := t.waitBeforeRetry(failure, attempts, prepared.isRepeatable)
		if !isRetry || !prepared.canResend {
			return failure
		}
		if failure.Status != http.StatusTooManyRequests && ambiguousError == nil {
			ambiguousError = failure
		}
		if t.onRetry != nil {
			t.onRetry(Retry{Err: failure, Wait: wait, Attempts: attempts})
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
	}
}

// isGone reports whether the object of a deletion is gone. A token that revoked itself gets
// token_revoked, not not_found.
func isGone(url string, err *Error) bool {
	isOwnToken := strings.HasSuffix(url, "/v1/auth/token/self")
	return err.Is(ErrNotFound) || (isOwnToken && err.Code == ProblemCodeTokenRevoked)
}

var errTimeLimit = errors.New("time limit")

// try sends one attempt. It returns an *Error, the error of the context, or an error of the configuration.
func (t *transport) try(ctx context.Context, prepared *preparedRequest, timeout time.Duration, read responseReader) error {
	token, err := t.token()
	if err != nil {
		return err
	}
	if err := validateToken(token); err != nil {
		return err
	}
	body, err := prepared.openBody()
	if err != nil {
		return err
	}
	attempt, cancel := context.WithCancelCause(ctx)
	if timeout > 0 {
		timer := time.AfterFunc(timeout, func() { cancel(errTimeLimit) })
		defer timer.Stop()
	}
	err = t.roundTrip(attempt, prepared, body, token, func(received *http.Response) error {
		return read(received, func() { cancel(nil) })
	})
	if err == errHandedOver {
		return nil
	}
	isTimeout := context.Cause(attempt) == errTimeLimit
	cancel(nil)
	var failure *Error
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return contextError(ctx)
	case errors.As(err, &failure):
		return failure
	case isTimeout:
		return timeoutError(timeout, err)
	default:
		return connectionError(t.baseURL, err)
	}
}

func (t *transport) roundTrip(ctx context.Context, prepared *preparedRequest, body io.Reader, token string, read func(*http.Response) error) error {
	sent, err := http.NewRequestWithContext(ctx, prepared.method, prepared.url, body)
	if err != nil {
		return err
	}
	sent.Header.Set("User-Agent", t.userAgent)
	for name, value := range prepared.header {
		sent.Header.Set(name, value)
	}
	if token != "" {
		sent.Header.Set("Authorization", "Bearer "+token)
	}
	received, err := t.http.Do(sent)
	if err != nil {
		return err
	}
	isHandedOver := false
	defer func() {
		if !isHandedOver {
			received.Body.Close()
		}
	}()
	if received.StatusCode >= 200 && received.StatusCode < 300 {
		err := read(received)
		isHandedOver = err == errHandedOver
		return err
	}
	text, err := io.ReadAll(received.Body)
	if err != nil {
		return err
	}
	return responseError(received.StatusCode, received.Header, text)
}

func contextError(ctx context.Context) error {
	return fmt.Errorf("linkservice: %w", ctx.Err())
}

func (t *transport) retryingForever() *transport {
	forever := *t
	forever.retriesForever = true
	return &forever
}
