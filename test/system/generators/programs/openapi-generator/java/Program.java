import com.example.linkservice.ApiClient;
import com.example.linkservice.api.DeliveriesApi;
import com.example.linkservice.api.EventsApi;
import com.example.linkservice.api.LinksApi;
import com.example.linkservice.api.WebhooksApi;
import com.example.linkservice.model.CreateLink;
import com.example.linkservice.model.CreateWebhook;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;

/** Uses the client that openapi-generator generates for Java. */
class Program {
  public static void main(String[] args) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("LINK_SERVICE_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("LINK_SERVICE_TOKEN")));

    var links = new LinksApi(client);
    var link = links.createLink(new CreateLink().url("https://example.com/spring"), null);
    System.out.println("Created " + link.getUrl());
    var page = links.listLinks(1L, null, null, null, null, null, null, null, null);
    System.out.println("Listed " + page.getData().get(0).getUrl());

    var webhook =
        new WebhooksApi(client)
            .createWebhook(
                new CreateWebhook()
                    .url(System.getenv("WEBHOOK_URL"))
                    .events(List.of("link.created", "*")),
                null);
    System.out.println("Webhook for " + String.join(", ", webhook.getEvents()));
    var test = new DeliveriesApi(client).sendTestEvent(webhook.getId(), null);
    System.out.println("Test delivered: " + test.getDelivered());

    var events = new EventsApi(client);
    var json = new ObjectMapper();
    for (var listed : events.listEvents(100L, null, null, null, null, null, null).getData()) {
      var event = events.getEvent(listed.getId());
      System.out.println(
          json.writeValueAsString(Map.of("type", event.getType(), "data", event.getData())));
    }
  }
}
