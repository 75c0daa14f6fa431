/** The sentences in which vendors and servers refuse a limit of output tokens, word for word, each with a public thread. */
export interface RecordedLimit {
  seen: string;
  words: string;
  /** The limit that is asked for next. */
  next: number;
  /** The refusal is about one conversation, not about the model. */
  isOnce?: boolean;
}

export const LIMITS: RecordedLimit[] = [
  {
    seen: 'anthropics/claude-code#24451',
    words: 'max_tokens: 64000 > 32000, which is the maximum allowed number of output tokens for claude-opus-4-20250514',
    next: 32_000,
  },
  {
    seen: 'ChatGPTNextWeb/NextChat#3195',
    words: 'max_tokens is too large: 64000. This model supports at most 4096 completion tokens, whereas you provided 64000.',
    next: 4096,
  },
  {
    seen: 'deepseek-ai/DeepSeek-V3#69',
    words: 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]',
    next: 8192,
  },
  {
    seen: 'anomalyco/opencode#1000',
    words: '`max_tokens` must be less than or equal to `16384`, the maximum value for `max_tokens` is less than the `context_window` for this model',
    next: 16_384,
  },
  {
    seen: 'skapadia3214/groq-moa#8',
    words: 'max_tokens for `llama-3.1-8b-instant` must be less than or equal to 8000',
    next: 8000,
  },
  {
    seen: 'Gitlawb/openclaude#331',
    words: 'The parameter `max_completion_tokens` specified in the request are not valid: integer above maximum value, expected a value <= 12288, but got 64000 instead. Request id: 0217752964393142',
    next: 12_288,
  },
  {
    seen: 'the vendor’s own cloud, of the same models',
    words: 'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 8193 (exclusive). Update the value and try again.',
    next: 8192,
  },
  {
    seen: 'the vendor’s documentation of errors, by way of the program that repairs it',
    words: 'input length and `max_tokens` exceed context limit: 188240 + 64000 > 200000, decrease input length or `max_tokens` and try again',
    next: 11_760,
    isOnce: true,
  },
  {
    seen: 'ChatGPTNextWeb/NextChat#3195',
    words: "This model's maximum context length is 8192 tokens. However, you requested 64064 tokens (64 in the messages, 64000 in the completion). Please reduce the length of the messages or completion.",
    next: 8128,
    isOnce: true,
  },
  {
    seen: 'carlrobertoh/ProxyAI#87',
    words: "This model's maximum context length is 4097 tokens, however you requested 67430 tokens (3430 in your prompt; 64000 for the completion). Please reduce your prompt; or completion length.",
    next: 667,
    isOnce: true,
  },
  {
    seen: 'claude-code-best/claude-code#272',
    words: "'max_tokens' or 'max_completion_tokens' is too large: 64000. This model's maximum context length is      64001 tokens and your request has 24235 input tokens (64000 > 64001 - 24235). None",
    next: 39_766,
    isOnce: true,
  },
]; // prettier-ignore
