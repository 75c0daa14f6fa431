/** The words in which vendors and servers say that a conversation is too long, and the numbers that they name. */
export interface RecordedOverflow {
  backend: string;
  status?: number;
  error: Record<string, unknown> | string;
  numbers?: string;
}

export const OVERFLOWS: RecordedOverflow[] = [
  {
    backend: 'Anthropic',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 203627 tokens > 200000 maximum' },
    numbers: '203627 tokens > 200000 maximum',
  },
  {
    backend: 'OpenAI',
    error: { message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 10003 tokens. Please reduce the length of the messages.", code: 'context_length_exceeded' },
    numbers: '10003 tokens > 8192 maximum',
  },
  {
    backend: 'OpenAI, younger models',
    error: { message: 'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens. Please reduce the length of the messages.', code: 'context_length_exceeded' },
    numbers: '300123 tokens > 272000 maximum',
  },
  {
    backend: 'OpenAI, Responses',
    error: { message: 'Your input exceeds the context window of this model. Please adjust your input and try again.', code: 'context_length_exceeded' },
  },
  {
    backend: 'Gemini',
    error: { code: 400, message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', status: 'INVALID_ARGUMENT' },
    numbers: '1200000 tokens > 1048576 maximum',
  },
  {
    backend: 'Ollama',
    error: 'the input length exceeds the context length',
  },
  {
    backend: 'Ollama, the runner',
    error: { message: 'prompt too long; exceeded max context length by 203 tokens', type: 'invalid_request_error' },
  },
  {
    backend: 'llama.cpp',
    error: { code: 400, message: 'the request exceeds the available context size. try increasing the context size or enable context shift', type: 'exceed_context_size_error', n_prompt_tokens: 14429, n_ctx: 8192 },
    numbers: '14429 tokens > 8192 maximum',
  },
  {
    backend: 'llama.cpp, as it was first',
    status: 500,
    error: { code: 500, message: 'the request exceeds the available context size. try increasing the context size or enable context shift', type: 'exceed_context_size_error', n_prompt_tokens: 1407, n_ctx: 256 },
    numbers: '1407 tokens > 256 maximum',
  },
  {
    backend: 'vLLM',
    error: { message: "This model's maximum context length is 16384 tokens. However, you requested 112946 tokens in the messages, Please reduce the length of the messages.", type: 'BadRequestError' },
    numbers: '112946 tokens > 16384 maximum',
  },
  {
    backend: 'vLLM, with the limit of the answer',
    error: { message: "This model's maximum context length is 4096 tokens. However, you requested 100 output tokens and your prompt contains at least 5000 input tokens, for a total of at least 5100 tokens.", type: 'BadRequestError' },
    numbers: '5000 tokens > 4096 maximum',
  },
  {
    backend: 'xAI',
    error: "This model's maximum prompt length is 131072 but the request contains 150001 tokens.",
    numbers: '150001 tokens > 131072 maximum',
  },
  {
    backend: 'Mistral',
    error: { message: 'Prompt contains 40001 tokens and 0 draft tokens, too large for model with 32768 maximum context length' },
    numbers: '40001 tokens > 32768 maximum',
  },
  {
    backend: 'LM Studio',
    error: 'Trying to keep the first 9876 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    numbers: '9876 tokens > 4096 maximum',
  },
  {
    backend: 'a proxy that groups digits',
    error: { message: "This model's maximum context length is 128,000 tokens. However, your messages resulted in 1,130,500 tokens.", code: 'context_length_exceeded' },
    numbers: '1130500 tokens > 128000 maximum',
  },
  {
    backend: 'GitHub Copilot',
    error: { message: 'prompt token count of 135422 exceeds the limit of 128000', code: 'model_max_prompt_tokens_exceeded' },
    numbers: '135422 tokens > 128000 maximum',
  },
  {
    backend: 'Kimi',
    error: { message: 'Invalid request: Your request exceeded model token limit: 262144 (requested: 269123)', type: 'invalid_request_error' },
    numbers: '269123 tokens > 262144 maximum',
  },
  {
    backend: 'SiliconFlow',
    error: { message: 'number of input tokens (204703) has exceeded max_prompt_tokens (202752) limit.' },
    numbers: '204703 tokens > 202752 maximum',
  },
  {
    backend: 'ctransformers',
    error: 'Number of tokens (2662) exceeded maximum context length (512).',
    numbers: '2662 tokens > 512 maximum',
  },
  {
    backend: 'Together',
    error: 'The input (9001 tokens) is longer than the model\'s context length (8192 tokens).',
    numbers: '9001 tokens > 8192 maximum',
  },
]; // prettier-ignore
