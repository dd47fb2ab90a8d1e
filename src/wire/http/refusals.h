/* What HTTP refuses before any route hears of it, in the form of wire/refusal.h, with the status in place of
 * the error. */
#ifndef WIRE_HTTP_REFUSALS_H
#define WIRE_HTTP_REFUSALS_H

struct http_refusal {
    int status;
    const char *sentence;
};

#define HTTP_REFUSAL(name, status, sentence) static const struct http_refusal name = {status, sentence};

/* clang-format off */
/* heads */
HTTP_REFUSAL(http_line_malformed,       400, "the request line must be METHOD TARGET HTTP/1.1")
HTTP_REFUSAL(http_version_other,        505, "only HTTP/1.0 and HTTP/1.1 are spoken here")
HTTP_REFUSAL(http_method_malformed,     400, "the method is not a word")
HTTP_REFUSAL(http_method_not_served,    501, "this method is not served here")
HTTP_REFUSAL(http_method_unknown,       501, "this method is not known here")
HTTP_REFUSAL(http_target_malformed,     400, "the target of the request is malformed")
HTTP_REFUSAL(http_header_folded,        400, "a header must not go on in the next line")
HTTP_REFUSAL(http_header_malformed,     400, "a header line must be NAME: VALUE, without a blank before the colon")
HTTP_REFUSAL(http_header_control,       400, "a header has a control character in it")
HTTP_REFUSAL(http_host_missing,         400, "the Host header is missing")
HTTP_REFUSAL(http_host_twice,           400, "there is more than one Host")
HTTP_REFUSAL(http_length_twice,         400, "the length of the body is said more than once")
HTTP_REFUSAL(http_length_malformed,     400, "Content-Length must be a number")
HTTP_REFUSAL(http_chunks_of_1_0,        400, "HTTP/1.0 has no Transfer-Encoding")
HTTP_REFUSAL(http_transfer_other,       501, "the only Transfer-Encoding that is read here is chunked")
HTTP_REFUSAL(http_expectation_other,    417, "the only expectation that is met here is 100-continue")
HTTP_REFUSAL(http_head_malformed,       400, "the head of the request is malformed")
HTTP_REFUSAL(http_head_too_large,       431, "the head of the request is too large")
/* bodies */
HTTP_REFUSAL(http_body_too_large,       413, "the body is too large")
HTTP_REFUSAL(http_chunks_malformed,     400, "the chunks of the body are malformed")
HTTP_REFUSAL(http_request_late,         408, "the rest of the request did not arrive in time")
/* paths */
HTTP_REFUSAL(http_path_unknown,         404, "there is nothing at this path")
HTTP_REFUSAL(http_page_is_read,         405, "the page can only be read")
HTTP_REFUSAL(http_hall_elsewhere,       503, "the hall of the Universal Game System is at another node")
HTTP_REFUSAL(http_hall_off,             503, "the hall of the Universal Game System is off")
HTTP_REFUSAL(http_hall_unsure,          503, "the hall of the Universal Game System may be at another node")
HTTP_REFUSAL(http_health_is_read,       405, "the health of the server can only be read")
HTTP_REFUSAL(http_metrics_are_read,     405, "the numbers of the server can only be read")
HTTP_REFUSAL(http_command_method,       405, "the command is asked with another method")
HTTP_REFUSAL(http_command_elsewhere,    403, "commands are taken at the operator's socket alone")
HTTP_REFUSAL(http_websocket_version,    426, "WebSocket is spoken here in version 13")
HTTP_REFUSAL(http_websocket_wanted,     426, "this path speaks WebSocket")
HTTP_REFUSAL(http_websocket_handshake,  400, "a handshake needs a Sec-WebSocket-Key, and no requests before it")
/* clang-format on */

#endif
