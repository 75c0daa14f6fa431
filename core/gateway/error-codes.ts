/** Every `code` that a client of the gateway can get. docs/gateway.md and docs/openapi.json list them. */
export const errorCodes = {
  invalid_request: { status: 400, when: 'invalid JSON, missing or wrong fields, something the driver refuses' },
  too_deep: { status: 400, when: 'agents that Drivebay has started ask it again, three deep (`x-drivebay-depth`)' },
  context_length_exceeded: { status: 400, when: 'the conversation is too long for the model (responses)' },
  previous_response_not_found: {
    status: 400,
    when: '`previous_response_id` names no stored response (responses)',
  },
  invalid_api_key: { status: 401, when: 'the gateway requires its key (`--api-key-env`), or that of a client' },
  forbidden_host: { status: 403, when: 'the `Host` is not a name of this machine' },
  forbidden_origin: { status: 403, when: 'the request comes from a foreign web page' },
  model_not_allowed: { status: 403, when: 'the `allow` of the client does not have this model' },
  model_not_found: { status: 404, when: 'no provider serves this model' },
  unknown_url: { status: 404, when: 'there is nothing at this path' },
  response_not_found: { status: 404, when: 'no response with this id is stored (responses)' },
  method_not_allowed: { status: 405, when: 'the path does not take this method; `CONNECT`' },
  request_timeout: { status: 408, when: 'the head took over 10 s, or the whole request over 30 s' },
  request_too_large: {
    status: 413,
    when: 'the body is over the limit of its path: 4 194 304 bytes for chat-completions',
  },
  unsupported_media_type: { status: 415, when: 'not `application/json`' },
  expectation_failed: { status: 417, when: 'an `Expect` header other than `100-continue`' },
  upgrade_required: { status: 426, when: 'the client asks for a WebSocket; the gateway has none' },
  concurrency_limit: { status: 429, when: "the provider's queue is full" },
  rate_limit_exceeded: {
    status: 429,
    when: 'a limit per minute is reached ([limits](limits.md)); the backend takes no more requests at the moment (responses)',
  },
  budget_exceeded: { status: 429, when: 'the [budget](limits.md#budgets) of the day or the month is spent' },
  insufficient_quota: { status: 429, when: 'a quota or the credit at the backend is used up (responses)' },
  headers_too_large: { status: 431, when: 'the request headers are over 16 KiB' },
  internal_error: {
    status: 500,
    when: 'a defect of Drivebay, whose cause is in the log; or the program was updated or removed while it runs, as the message then says',
  },
  upstream_error: { status: 502, when: 'the driver failed, or answered nothing' },
  shared_state_unavailable: {
    status: 503,
    when: 'the [shared server](scaling.md#shared-limits) cannot be reached, and `shared_state.required` is set',
  },
  shutting_down: { status: 503, when: 'Drivebay is ending' },
  timeout: { status: 504, when: 'no answer in time' },
} as const satisfies Record<string, { status: number; when: string }>;

export type ErrorCode = keyof typeof errorCodes;
