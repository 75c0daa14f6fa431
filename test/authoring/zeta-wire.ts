import { type HttpWire, json, type ScriptedAnswer, sse } from 'drivebay/testing';
import { answer as piece, refusal } from '../plugins/zeta/wire';

const FINISH = { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP' };

interface NativePart {
  text?: string;
  functionResponse?: { response: { output: string } };
}

interface NativeBody {
  requests?: { content: Content }[];
  systemInstruction?: Content;
  contents: Content[];
}

type Content = { parts: NativePart[] } | undefined;

/** How the vendor's native API speaks. */
export const zetaWire: HttpWire = {
  options: (url) => ({ base_url: url }),
  probe: ({ method }) => (method === 'GET' ? json({ models: [{ name: 'models/kit-model-1' }] }) : undefined),
  answer(answer, { path }) {
    const { inputTokens, outputTokens, cachedInputTokens } = answer.usage;
    const usageMetadata = {
      ...{ promptTokenCount: inputTokens, candidatesTokenCount: outputTokens },
      cachedContentTokenCount: cachedInputTokens,
    };
    const last = { finishReason: FINISH[answer.finish] };
    const texts = answer.pieces.map((text) => ({ text }));
    const before = [...thoughtsOf(answer), ...texts];
    const calls = callsOf(answer);
    if (!path.includes(':streamGenerateContent')) return json(piece([...before, ...calls], last, { usageMetadata }));
    return sse([...before.map((part) => piece([part])), piece(calls, last, { usageMetadata })]);
  },
  vectors: ({ vectors }) => json({ embeddings: vectors.map((values) => ({ values })) }),
  failure: ({ status, message }) => json(refusal(status, message), { status }),
  interruption: ({ status, message }) => [refusal(status, message)],
  received: ({ path, body, headers }) => ({
    model: /models\/(.+):\w+/.exec(decodeURI(path))?.[1],
    texts: contentsOf(body as NativeBody).flatMap((content) =>
      (content?.parts ?? []).map((part) => part.text ?? part.functionResponse?.response.output ?? ''),
    ),
    maxTokens: body.generationConfig?.maxOutputTokens,
    temperature: body.generationConfig?.temperature,
    topP: body.generationConfig?.topP,
    stop: body.generationConfig?.stopSequences,
    reasoningEffort: body.generationConfig?.thinkingConfig?.thinkingLevel,
    thinkingBudget: body.generationConfig?.thinkingConfig?.thinkingBudget,
    key: headers['x-goog-api-key'],
    tools: body.tools?.flatMap(({ functionDeclarations }: { functionDeclarations: { name: string }[] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
  }),
};

const contentsOf = ({ requests, systemInstruction, contents }: NativeBody): Content[] =>
  requests ? requests.map(({ content }) => content) : [systemInstruction, ...contents];

const thoughtsOf = ({ reasoning }: ScriptedAnswer) =>
  reasoning === undefined ? [] : [{ text: reasoning, thought: true }];

const callsOf = ({ toolCalls = [] }: ScriptedAnswer) =>
  toolCalls.map(({ id, name, arguments: text, signature }) => ({
    functionCall: { id, name, args: JSON.parse(text) as unknown },
    ...(signature !== undefined && { thoughtSignature: signature }),
  }));
