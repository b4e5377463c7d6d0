package linkservice

import (
	"context"
	"io"
	"sync"
)

// Create uploads a file. The import runs in the background: poll it with Get. The file is sent as NDJSON if the Format
// of the query is NDJSON, and as CSV otherwise. The option ContentType overrides this. Only a file that implements
// io.Seeker, such as an *os.File or a *strings.Reader, is sent again after a temporary failure. An upload has no time
// limit but that of the context.
func (s *ImportsService) Create(ctx context.Context, file io.Reader, query *CreateImportQuery, options ...CreateOption) (*Import, error) {
	isNDJSON := query != nil && query.Format == ImportFormatNDJSON
	return fetchJSON[Import](ctx, s.transport, applyOptions(request{
		method:       "POST",
		path:         "/v1/imports",
		query:        query,
		file:         newUpload(file, fileType(isNDJSON)),
		needsKey:     true,
		hasNoTimeout: true,
	}, options))
}

// upload is a file that is sent unchanged.
type upload struct {
	file        io.Reader
	contentType string
	start       int64
	isSeekable  bool
	// closed is closed when net/http no longer reads the body of the last attempt.
	closed chan struct{}
}

func newUpload(file io.Reader, contentType string) *upload {
	u := &upload{file: file, contentType: contentType}
	if seeker, ok := file.(io.Seeker); ok {
		start, err := seeker.Seek(0, io.SeekCurrent)
		u.start, u.isSeekable = start, err == nil
	}
	return u
}

func (u *upload) open() (io.Reader, error) {
	if u.closed != nil {
		<-u.closed
		if _, err := u.file.(io.Seeker).Seek(u.start, io.SeekStart); err != nil {
			return nil, err
		}
	}
	u.closed = make(chan struct{})
	return &uploadBody{Reader: u.file, closed: u.closed}, nil
}

// uploadBody does not close the file, which belongs to the caller.
type uploadBody struct {
	io.Reader
	once   sync.Once
	closed chan struct{}
}

func (b *uploadBody) Close() error {
	b.once.Do(func() { close(b.closed) })
	return nil
}
