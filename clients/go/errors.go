package linkservice

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Kinds of errors, for errors.Is. Use errors.As with an *Error for everything else.
var (
	// ErrValidation: 400, 413, 415 or 422, the request is invalid. Fields of the Error lists every invalid input.
	ErrValidation = errors.New("linkservice: invalid request")
	// ErrUnauthorized: 401, the token is missing, unknown, expired or revoked.
	ErrUnauthorized = errors.New("linkservice: unauthorized")
	// ErrForbidden: 403, the token lacks a scope. Problem.Required of the Error names the scopes.
	ErrForbidden = errors.New("linkservice: forbidden")
	// ErrNotFound: 404.
	ErrNotFound = errors.New("linkservice: not found")
	// ErrConflict: 409, a slug or external ID is taken, or the state does not allow the call.
	ErrConflict = errors.New("linkservice: conflict")
	// ErrPreconditionFailed: 412, the object has changed since the version in IfMatch.
	ErrPreconditionFailed = errors.New("linkservice: precondition failed")
	// ErrRateLimited: 429.
	ErrRateLimited = errors.New("linkservice: rate limited")
	// ErrServer: 5xx.
	ErrServer = errors.New("linkservice: server error")
	// ErrConnection: no connection, or a broken one. The service may have processed the request.
	ErrConnection = errors.New("linkservice: connection failed")
	// ErrTimeout: no response within the time limit. An ErrTimeout is also an ErrConnection.
	ErrTimeout = errors.New("linkservice: timeout")
)

// Codes of errors that do not come from the service.
const (
	CodeConnectionFailed ProblemCode = "connection_failed"
	CodeTimeout          ProblemCode = "timeout"
	// CodeUnexpectedAnswer is the code of a response that does not come from the API, such as a page of a proxy.
	CodeUnexpectedAnswer ProblemCode = "unexpected_answer"
)

var kindsByStatus = map[int]error{
	400: ErrValidation,
	401: ErrUnauthorized,
	403: ErrForbidden,
	404: ErrNotFound,
	409: ErrConflict,
	412: ErrPreconditionFailed,
	413: ErrValidation,
	415: ErrValidation,
	422: ErrValidation,
	429: ErrRateLimited,
}

// Error is a failed call. It does not contain the request, so it cannot leak a token. If the context ends, calls return
// the error of the context instead, and Follow and Live end without an error.
type Error struct {
	// Code is stable, for programs, such as not_found or conflict.
	Code    ProblemCode
	Message string
	// Status is 0 without a response.
	Status int
	// RequestID identifies the request in the log of the service.
	RequestID string
	// Fields lists every invalid input.
	Fields []InputError
	// Problem is the response of the service, or nil.
	Problem *Problem
	// RetryAfter is the delay that the service requested.
	RetryAfter time.Duration

	cause error
}

func (e *Error) Error() string {
	if len(e.Fields) < 2 {
		return "linkservice: " + e.Message
	}
	lines := []string{"linkservice: " + e.Message}
	for _, field := range e.Fields {
		lines = append(lines, fmt.Sprintf("%s: %s", field.place(), field.Detail))
	}
	return strings.Join(lines, "\n  ")
}

// Unwrap returns the error of the connection, or nil.
func (e *Error) Unwrap() error {
	return e.cause
}

// Is reports whether the error is of a kind, such as ErrNotFound.
func (e *Error) Is(target error) bool {
	switch target {
	case ErrTimeout:
		return e.Code == CodeTimeout
	case ErrConnection:
		return e.Status == 0
	case ErrServer:
		return e.Status >= 500
	case ErrRateLimited:
		return e.Status == http.StatusTooManyRequests
	}
	// Only the API sends a code. A 404 without a code comes from something else.
	return e.Problem != nil && kindsByStatus[e.Status] == target && target != nil
}

func (e *InputError) place() string {
	for _, each := range []*string{e.Pointer, e.Parameter, e.Header} {
		if each != nil {
			return *each
		}
	}
	return "request"
}

func connectionError(baseURL string, cause error) *Error {
	reason := cause
	// The URL of the request may be long.
	if failure := (*url.Error)(nil); errors.As(cause, &failure) {
		reason = failure.Err
	}
	message := fmt.Sprintf("The service at %s could not be reached: %s", baseURL, reason)
	return &Error{Code: CodeConnectionFailed, Message: message, cause: cause}
}

func timeoutError(limit time.Duration, cause error) *Error {
	return &Error{Code: CodeTimeout, Message: fmt.Sprintf("No response within %s.", limit), cause: cause}
}

// responseError returns the error of a response.
func responseError(status int, header http.Header, body []byte) *Error {
	failure := &Error{
		Code:       CodeUnexpectedAnswer,
		Message:    fmt.Sprintf("The response with status %d does not come from the Link Service API.", status),
		Status:     status,
		RequestID:  header.Get("X-Request-Id"),
		RetryAfter: parseRetryAfter(header.Get("Retry-After"), time.Now()),
	}
	var problem Problem
	if json.Unmarshal(body, &problem) != nil || problem.Code == "" {
		return failure
	}
	failure.Code = problem.Code
	failure.Problem = &problem
	failure.Fields = problem.Errors
	failure.Message = problem.Detail
	if failure.Message == "" || len(failure.Fields) > 1 {
		failure.Message = problem.Title
	}
	if failure.Message == "" {
		failure.Message = string(problem.Code)
	}
	return failure
}

var isSeconds = regexp.MustCompile(`^\d{1,9}$`)

// parseRetryAfter parses seconds or a date. It returns 0 for anything else.
func parseRetryAfter(text string, now time.Time) time.Duration {
	if isSeconds.MatchString(text) {
		seconds, _ := strconv.Atoi(text)
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
