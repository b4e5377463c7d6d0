module link-service.example/linkservice

go 1.23
