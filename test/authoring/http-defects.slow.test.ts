import { httpBackend } from 'drivebay/testing';
import { HTTP_DRIVER, HTTP_MANIFEST } from './sample-drivers';
import { sampleHttpWire } from './sample-wires';
import { type Defect, testDefects } from './spoilt-driver';

const DEFECTS: Defect[] = [
  [
    'drops the last piece',
    'answer.text-streamed',
    "yield { type: 'text', text: piece.text };",
    "{ if (held !== undefined) yield { type: 'text', text: held }; var held = piece.text; }",
  ],
  [
    'gives no more than a beginning of a long answer',
    'answer.long',
    'text: piece.text }',
    'text: piece.text.slice(0, 65536) }',
  ],
  [
    'collects the answer before it says anything',
    'answer.before-the-end',
    'of response.bytes()',
    'of [Buffer.from(await response.text())]',
  ],
  ['decodes each read on its own', 'answer.split-bytes', ', { stream: true }', ''],
  ['estimates usage', 'answer.usage', 'inputTokens: piece.usage[0]', 'inputTokens: piece.usage[0] + 1'],
  ['counts in fractions', 'answer.counts', 'inputTokens: piece.usage[0]', 'inputTokens: 0.5'],
  ['finishes twice', 'answer.finish', 'return;', "yield { type: 'finish', reason: 'stop' }; return;"],
  ['calls every end a stop', 'answer.finish-length', 'reason: piece.end', "reason: 'stop'"],
  ['misspells an event', 'answer.known-events', "{ type: 'usage', inputTokens", "{ type: 'usages', inputTokens"],
  ['puts functions into events', 'answer.plain-data', 'text: piece.text }', 'text: piece.text, more() {} }'],
  ['sends the last message only', 'request.messages', 'messages.flatMap', 'messages.slice(-1).flatMap'],
  ['cuts large prompts', 'request.large', 'map(({ text }) => text)', 'map(({ text }) => text.slice(0, 1e6))'],
  ['names a model of its own', 'request.model-explicit', 'JSON.stringify({ model,', "JSON.stringify({ model: 'mine',"],
  ['sends a 0 for what is open', 'request.options-absent', 'maxTokens,', 'maxTokens: maxTokens ?? 0,'],
  ['drops an option in silence', 'request.options-present', 'maxTokens, temperature }', 'maxTokens }'],
  [
    'improves the effort',
    'request.effort',
    'texts, reasoningEffort',
    'texts, reasoningEffort: reasoningEffort?.toLowerCase()',
  ],
  [
    'throws errors of its own',
    'failure.upstream',
    'throw await response.error()',
    "throw new Error('HTTP ' + response.status)",
  ],
  [
    'calls every failure upstream',
    'failure.auth',
    'throw await response.error()',
    "throw context.error('upstream', 'failed')",
  ],
  [
    'keeps the words of the backend to itself',
    'failure.words',
    'throw await response.error()',
    "throw context.error('upstream', 'failed')",
  ],
  [
    'takes a torn answer for a whole one',
    'failure.cut-short',
    "throw context.error('protocol', 'the answer was cut short', { kind: 'truncated' });",
    "yield { type: 'finish', reason: 'stop' };",
  ],
  [
    'skips what it cannot read',
    'failure.garbage',
    "throw context.error('protocol', 'a line is not JSON', { cause });",
    "return { end: 'stop' };",
  ],
  ['chats without its key', 'failure.missing-key', 'context.requireApiKey()', 'context.apiKey()'],
  [
    'does not listen to the signal',
    'cancel.before-answer',
    'const { signal } = call;',
    'const { signal } = new AbortController();',
  ],
  ['turns a cancel into an end', 'cancel.midway', 'of response.bytes())', 'of quietly(response.bytes()))'],
  [
    'mixes calls',
    'isolation.concurrent-calls',
    "const response = await request('/chat', call, body);",
    "shared = body; await null; const response = await request('/chat', call, shared);",
  ],
  [
    'shares state between its instances',
    'isolation.instances',
    'const address = context.options.base_url;',
    'const address = (globalThis.kitSampleAddress ??= context.options.base_url);',
  ],
  [
    'connects when it is made',
    'lifecycle.factory-is-quiet',
    'return {',
    "context.http.request(address + '/health', { signal: new AbortController().signal }).then((r) => r.text(), () => {});\n  return {",
  ],
  [
    'spends tokens on a check',
    'lifecycle.check',
    "request('/health', call)",
    "request('/chat', call, JSON.stringify({ texts: ['ping'] }))",
  ],
  ['checks nothing', 'lifecycle.check-nobody-there', "await (await request('/health', call)).text();", ''],
  [
    'spends tokens on its diagnosis',
    'diagnose.findings',
    'async close() {}',
    "async close() {}, async *diagnose(call) { await (await request('/chat', call, JSON.stringify({ texts: ['ping'] }))).text(); }",
  ],
  [
    'makes topics up',
    'diagnose.findings',
    'async close() {}',
    "async close() {}, async *diagnose() { yield { topic: 'weather', severity: 'ok', message: 'fine' }; }",
  ],
  [
    'diagnoses for ever',
    'diagnose.canceled',
    'async close() {}',
    "async close() {}, async *diagnose() { await (await request('/health', { signal: new AbortController().signal })).text(); }",
  ],
  [
    'cannot be closed twice',
    'lifecycle.close-twice',
    'async close() {}',
    "async close() { if (this.closed) throw new Error('closed'); this.closed = true; }",
  ],
  [
    'keeps connections of its own',
    'lifecycle.close-releases',
    'const { model, stream,',
    "require('node:net').connect(new URL(address).port, '127.0.0.1').on('error', () => {});\n const { model, stream,",
  ],
  [
    'prints the key',
    'secrets.key',
    'const headers = () => (',
    'const headers = () => (console.log(context.apiKey()), ',
  ],
  [
    'logs the key',
    'secrets.key',
    'const headers = () => (',
    'const headers = () => (context.log.info(context.apiKey()), ',
  ],
  [
    'puts the key into an error',
    'secrets.key',
    'throw await response.error()',
    "throw context.error('auth', 'refused ' + context.apiKey())",
  ],
  [
    'puts the key into a trace',
    'secrets.key',
    'const { signal } = call;',
    "const { signal } = call; call.trace('sent', headers());",
  ],
  [
    'writes to the temporary folder',
    'files.scratch-only',
    'const { signal } = call;',
    "const { signal } = call; require('node:fs').writeFileSync(require('node:os').tmpdir() + '/sample.log', path);",
  ],
];

testDefects(DEFECTS, HTTP_DRIVER, HTTP_MANIFEST, httpBackend(sampleHttpWire));
