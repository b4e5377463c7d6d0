package linkservice

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	firstBackoff = 250 * time.Millisecond
	maxBackoff   = 8 * time.Second
)

// waitBeforeRetry returns the delay before a retry, and whether to retry.
func (t *transport) waitBeforeRetry(err *Error, attempts int, isRepeatable bool) (time.Duration, bool) {
	if !mayRetry(err, isRepeatable) {
		return 0, false
	}
	if !t.retriesForever && (attempts > t.maxRetries || err.RetryAfter > t.maxRetryWait) {
		return 0, false
	}
	backoff := min(maxBackoff, firstBackoff<<min(attempts-1, 10))
	// Random jitter, so that clients which failed together do not retry together.
	wait := time.Duration(float64(backoff) * (0.5 + rand.Float64()/2))
	return max(wait, time.Duration(float64(err.RetryAfter)*(1+rand.Float64()/10))), true
}

func mayRetry(err *Error, isRepeatable bool) bool {
	// A rate-limited call was not processed, so any call can be retried.
	if err.Status == 429 {
		return true
	}
	if !isRepeatable {
		return false
	}
	return err.Code == "idempotency_in_progress" || err.Status == 0 || err.Status >= 500 || err.Status == 408 || err.Status == 425
}

// pause waits, or returns early with the error of the context.
func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return contextError(ctx)
	}
}
