// WEBHOOK_SECRET=whsec_… java -cp "libraries/*" Verify.java BODY-FILE ID TIMESTAMP SIGNATURE
import com.standardwebhooks.Webhook;
import java.net.http.HttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class Verify {
    public static void main(String[] args) throws Exception {
        var headers = Map.of(
            "webhook-id", List.of(args[1]),
            "webhook-timestamp", List.of(args[2]),
            "webhook-signature", List.of(args[3]));
        new Webhook(System.getenv("WEBHOOK_SECRET"))
            .verify(Files.readString(Path.of(args[0])), HttpHeaders.of(headers, (name, value) -> true));
    }
}
