import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { shownName } from '../../contract/secrets';
import { defined } from '../../fields';
import type { ChatPart } from '../control/chat-protocol';
import { fitAnswer } from './fit-answer';
import type { McpHost } from './mcp-host';
import { Progress } from './progress';
import { type Answer, askModel, unanswered } from './question';
import { FileReader, isWithheld } from './read-files';
import { readableRoots } from './roots';
import { type CallExtra, describeFailure, failure, type ToolResult, toResult } from './tool-result';
import type { ToolTable } from './tool-table';

const MOST_MODELS = 8;

const QUESTION = {
  prompt: z.string().min(1).describe('The question or task. The model sees nothing else of this conversation.'),
  system: z.string().optional().describe('A system prompt.'),
  files: z
    .array(z.string())
    .max(200)
    .optional()
    .describe('Paths of text files of this workspace; the model gets their content.'),
  images: z
    .array(z.string())
    .max(20)
    .optional()
    .describe('Paths of pictures of this workspace, or data:image/... URLs.'),
};

const ANSWER = {
  provider: z.string().optional().describe('Who answered: of a route, the target that did.'),
  model: z.string().optional(),
  answer: z.string(),
  truncated: z.boolean().optional().describe('Whether the answer is cut.'),
  ms: z.number().optional(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  costUsd: z.number().optional(),
};

const ABOUT_MODEL = 'The name of a provider or a route, or PROVIDER:MODEL; the tool `models` lists them.';
const COMPARED = z.object({ asked: z.string(), ...ANSWER, error: z.string().optional() });
/** They start nothing that changes files. */
const HINTS = { readOnlyHint: true, openWorldHint: true };

type Asked = z.output<z.ZodObject<typeof QUESTION>>;

/** `ask` and `compare`: questions to models, without tools and without an agent. */
export function addAskTools(tools: ToolTable, server: McpServer, host: McpHost): void {
  const description =
    'Asks another language model that the user has set up in Drivebay, and returns its answer: a second opinion, a review, ' +
    'a cheaper or a larger model. It has no tools.';
  tools.add(
    'ask',
    {
      title: 'Ask another model',
      description,
      inputSchema: {
        model: z.string().optional().describe(`${ABOUT_MODEL} Absent: the default provider.`),
        ...QUESTION,
      },
      outputSchema: ANSWER,
      annotations: HINTS,
    },
    (asked, extra) => ask(server, host, asked, extra),
  );
  tools.add(
    'compare',
    {
      title: 'Compare models',
      description: 'Asks several models the same, at the same time, and returns their answers side by side.',
      inputSchema: { models: z.array(z.string()).min(2).max(MOST_MODELS).describe(ABOUT_MODEL), ...QUESTION },
      outputSchema: { answers: z.array(COMPARED) },
      annotations: HINTS,
    },
    (asked, extra) => compare(server, host, asked, extra),
  );
}

async function ask(
  server: McpServer,
  host: McpHost,
  { model, ...asked }: Asked & { model?: string },
  extra: CallExtra,
): Promise<ToolResult> {
  const parts = await partsOf(server, host, asked);
  let grown: Answer | undefined;
  const progress = new Progress(extra, () => describe(model && shownName(model), grown));
  const grow = (answer: Answer) => {
    grown = answer;
    progress.note();
  };
  try {
    const question = { model, system: asked.system, parts };
    const answer = await askModel(host, await host.open(), question, { signal: extra.signal, grow });
    const { text, truncated } = fitAnswer(answer.text);
    if (answer.error) return failed(answer, text);
    return toResult(text, { ...factsOf(answer), answer: text, ...(truncated && { truncated }) });
  } finally {
    progress.close();
  }
}

async function compare(
  server: McpServer,
  host: McpHost,
  { models, ...asked }: Asked & { models: string[] },
  extra: CallExtra,
): Promise<ToolResult> {
  const parts = await partsOf(server, host, asked);
  const grown = new Map<number, Answer>();
  const progress = new Progress(extra, () =>
    models.map((model, at) => describe(shownName(model), grown.get(at))).join('; '),
  );
  try {
    const daemon = await host.open();
    const askOne = async (model: string, at: number): Promise<Answer> => {
      const grow = (answer: Answer) => {
        grown.set(at, answer);
        progress.note();
      };
      const asking = askModel(host, daemon, { model, system: asked.system, parts }, { signal: extra.signal, grow });
      return asking.catch(unanswered);
    };
    const answers = await Promise.all(models.map(askOne));
    extra.signal.throwIfAborted();
    const rows = answers.map((answer, at) => {
      const { text, truncated } = fitAnswer(answer.text, models.length);
      const error = answer.error && describeFailure(answer.error);
      return defined({
        asked: shownName(models[at]!),
        ...factsOf(answer),
        answer: text,
        truncated: truncated || undefined,
        error,
      });
    });
    const shown = rows.map(
      (row) => `## ${row.asked}\n\n${[row.error && `error: ${row.error}`, row.answer].filter(Boolean).join('\n\n')}`,
    );
    const result = toResult(shown.join('\n\n'), { answers: rows });
    return rows.every(({ error }) => error !== undefined) ? { ...result, isError: true } : result;
  } finally {
    progress.close();
  }
}

async function partsOf(server: McpServer, host: McpHost, { prompt, ...asked }: Asked): Promise<ChatPart[]> {
  const text: ChatPart = { type: 'text', text: prompt };
  if (!asked.files?.length && !asked.images?.length) return [text];
  const isOpen = (path: string) => host.client === undefined || !isWithheld(path);
  const reader = new FileReader(await readableRoots(server, host.fileBounds), host.howToAllow, isOpen);
  return [...(await reader.read(asked)), text];
}

function factsOf({ provider, model, ms, usage, costUsd }: Answer) {
  const { inputTokens, outputTokens } = usage ?? {};
  return defined({ provider, model, ms, inputTokens, outputTokens, costUsd });
}

/** What the model said before it failed was paid for. */
function failed({ provider, error }: Answer, text: string): ToolResult {
  const result = failure(error);
  result.content.unshift({ type: 'text', text: `provider "${provider}" failed:` });
  if (text !== '') result.content.push({ type: 'text', text: `It said until then:\n\n${text}` });
  return result;
}

function describe(asked: string | undefined, answer: Answer | undefined): string {
  const who = answer?.provider ?? asked ?? 'the default provider';
  return `${who}: ${answer?.text ? `${answer.text.length} characters` : 'thinks'}`;
}
