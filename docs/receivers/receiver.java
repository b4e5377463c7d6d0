// WEBHOOK_SECRET=whsec_… PORT=4000 java receiver.java
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Receiver {
    static final long TOLERANCE_SECONDS = 5 * 60;
    static final int LARGEST_BODY = 1024 * 1024;

    final SecretKeySpec key;
    // In production, store IDs in a table, in the transaction that processes the event.
    final Set<String> seen = ConcurrentHashMap.newKeySet();

    Receiver(String secret) {
        key = new SecretKeySpec(keyOf(secret), "HmacSHA256");
    }

    /** Decodes `whsec_` and base64; any other secret is used as UTF-8 bytes. */
    static byte[] keyOf(String secret) {
        if (secret.startsWith("whsec_")) return Base64.getDecoder().decode(secret.substring(6));
        return secret.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns whether a signature is valid and the timestamp is within the tolerance. */
    boolean isGenuine(String id, String timestamp, String signatures, byte[] body)
            throws GeneralSecurityException {
        if (id == null || timestamp == null || signatures == null || !timestamp.matches("[0-9]{1,12}")) return false;
        long age = System.currentTimeMillis() / 1000 - Long.parseLong(timestamp);
        if (Math.abs(age) > TOLERANCE_SECONDS) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        for (String signature : signatures.split(" "))
            if (MessageDigest.isEqual(signature.getBytes(StandardCharsets.UTF_8), expected)) return true;
        return false;
    }

    int statusFor(HttpExchange exchange) throws IOException, GeneralSecurityException {
        byte[] body = exchange.getRequestBody().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) return 413;
        var headers = exchange.getRequestHeaders();
        String id = headers.getFirst("webhook-id");
        if (!exchange.getRequestMethod().equals("POST")
                || !isGenuine(id, headers.getFirst("webhook-timestamp"), headers.getFirst("webhook-signature"), body))
            return 400;
        if (seen.add(id)) System.out.println("received " + id); // process the event here, with a JSON library
        return 204;
    }

    public static void main(String[] args) throws IOException {
        var receiver = new Receiver(System.getenv("WEBHOOK_SECRET"));
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "4000"));
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(receiver.statusFor(exchange), -1);
            } catch (GeneralSecurityException error) {
                exchange.sendResponseHeaders(500, -1); // the service retries
            }
        });
        server.start();
        System.out.println("ready");
    }
}
