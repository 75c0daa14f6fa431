// Whole requests with nearly everything that a wire has: what the fuzzing changes, so that each change is at a place that is read.

const IMAGE = 'data:image/png;base64,iVBORw0KGgo=';
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

const completions = [
  { model: 'main', messages: [{ role: 'user', content: 'Hello' }] },
  {
    model: 'main:m-1',
    stream: true,
    stream_options: { include_usage: true },
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }], name: 'dev' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: IMAGE, detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,AAAA', filename: 'a.pdf' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Bern"}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: 'sunny' }] },
      { role: 'assistant', content: 'Sunny.', refusal: null },
      { role: 'user', content: 'Thanks' },
    ],
    tools: [
      { type: 'function', function: { name: 'weather', description: 'Tells it.', parameters: SCHEMA, strict: true } },
      { type: 'custom', custom: { name: 'sql' } },
    ],
    tool_choice: { type: 'function', function: { name: 'weather' } },
    response_format: { type: 'json_schema', json_schema: { name: 'out', schema: SCHEMA, strict: true } },
    stop: ['END'],
    n: 1,
    max_tokens: 5,
    max_completion_tokens: 6,
    temperature: 0.5,
    top_p: 0.9,
    seed: 4_611_686_018_427_387_904,
    logit_bias: { 50_256: -100 },
    logprobs: true,
    top_logprobs: 2,
    reasoning_effort: 'low',
    metadata: { a: 'b' },
    user: 'u',
    provider: { order: ['x'] },
  },
];

const embeddings = [
  { model: 'main', input: 'Hello', encoding_format: 'float' },
  { model: 'main', input: ['Hello', 'you'], encoding_format: 'base64', dimensions: 8, user: 'u', x: { y: [1] } },
  { model: 'main', input: [[1, 2, 3], [4]] },
  { model: 'main', input: [1, 2, 3] },
];

const messages = [
  { model: 'main', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] },
  {
    model: 'claude-main',
    max_tokens: 1_000,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?', citations: [] },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'image', source: { type: 'url', url: 'http://127.0.0.1/x.png' } },
          { type: 'document', title: 'T', source: { type: 'text', media_type: 'text/plain', data: 'words' } },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'in it' }] } },
          { type: 'search_result', title: 'T', source: 'S', content: [{ type: 'text', text: 'found' }] },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
          { type: 'redacted_thinking', data: 'x' },
          { type: 'text', text: 'Let me see.' },
          { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Bern' } },
          { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', is_error: true, content: [{ type: 'text', text: 'no' }] },
          { type: 'tool_result', tool_use_id: 'toolu_2', content: [{ type: 'tool_reference', tool_name: 'weather' }] },
        ],
      },
      { role: 'system', content: 'Now be long.' },
    ],
    tools: [
      { name: 'weather', description: 'd', input_schema: SCHEMA, strict: true, cache_control: { type: 'ephemeral' } },
      { type: 'custom', name: 'other' },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    ],
    tool_choice: { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
    thinking: { type: 'enabled', budget_tokens: 2_000 },
    output_config: { effort: 'high', format: { type: 'json_schema', schema: SCHEMA } },
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    metadata: { user_id: 'u' },
    stop_sequences: ['END'],
    temperature: 1,
    top_k: 4,
    top_p: 0.9,
    service_tier: 'auto',
    mcp_servers: [{ type: 'url', url: 'http://127.0.0.1', name: 's' }],
  },
];

const responses = [
  { model: 'main', input: 'Hello' },
  {
    model: 'main:m-1',
    stream: true,
    instructions: 'Be brief.',
    input: [
      { type: 'message', role: 'developer', content: 'Be kind.' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'What is this?' },
          { type: 'input_image', image_url: IMAGE, detail: 'auto' },
          { type: 'input_file', file_data: 'AAAA', filename: 'a.pdf' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
        ],
      },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'abc' },
      {
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        content: [{ type: 'output_text', text: 'So.', annotations: [] }],
      },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'weather', arguments: '{"city":"Bern"}' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'sunny' }] },
      { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'done' },
      { type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['ls'] }, status: 'completed' },
      { type: 'local_shell_call_output', call_id: 'c3', output: 'a' },
      { type: 'item_reference', id: 'msg_0' },
      { role: 'user', content: 'Thanks' },
    ],
    tools: [
      { type: 'function', name: 'weather', description: 'd', parameters: SCHEMA, strict: false },
      { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' } },
      { type: 'namespace', name: 'mcp', description: 'd', tools: [{ type: 'function', name: 'read', parameters: {} }] },
      { type: 'web_search' },
    ],
    tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'weather' }] },
    reasoning: { effort: 'high', summary: 'auto' },
    text: { format: { type: 'json_schema', name: 'out', schema: SCHEMA, strict: true }, verbosity: 'low' },
    include: ['reasoning.encrypted_content'],
    max_output_tokens: 50,
    parallel_tool_calls: false,
    prompt_cache_key: 'k',
    store: false,
    temperature: 0.5,
    top_p: 0.9,
    truncation: 'disabled',
    metadata: { a: 'b' },
  },
  { model: 'main', input: [{ role: 'user', content: 'Hi' }, { type: 'compaction_trigger' }], background: false },
  { model: 'main', input: 'And now?', previous_response_id: 'resp_1', tools: [], tool_choice: 'auto' },
];

/** By the path that takes them. */
export const requestSamples: Readonly<Record<string, readonly object[]>> = {
  '/v1/chat/completions': completions,
  '/v1/embeddings': embeddings,
  '/v1/messages': messages,
  '/v1/messages/count_tokens': messages,
  '/v1/responses': responses,
  '/v1/responses/compact': responses,
};
