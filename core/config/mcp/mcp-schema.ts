import { z } from 'zod';
import { anyFields, filledText, flag, texts } from '../field-types';
import { limitFields } from '../limit-fields';

/** A name is a part of a path. Editors allow nearly everything else in it. */
export const SERVER_NAME = /^[^/\u0000-\u001f\u007f]{1,100}$/;

const named = z.record(z.string(), z.string());

/** One entry of `mcpServers`, in the form of editors, with a few keys of ours. */
export const serverSchema = z.strictObject({
  command: filledText.optional().describe('The program that is the server, for a server on this machine'),
  args: texts.optional().describe('Its arguments'),
  env: named.optional().describe('Variables for it, beside those of Drivebay without the keys of providers'),
  cwd: filledText
    .optional()
    .describe('Its folder; default: the project root, else the folder where the process was started'),
  url: filledText.optional().describe('The address of a server that is reached by HTTP'),
  headers: named.optional().describe('Headers for it'),
  type: z
    .enum(['stdio', 'http', 'streamable-http', 'streamableHttp', 'sse'])
    .optional()
    .describe('How it is reached; default: stdio with a command, streamable HTTP and then the older SSE with a url'),
  disabled: flag.describe('Whether it is left out'),
  timeout_sec: z
    .number()
    .positive()
    .default(300)
    .describe('How long one call of a tool may take; each sign of progress restarts the time'),
  sampling: flag.describe('Whether it may ask a model, during calls of its tools; with it go the two keys below'),
  sampling_route: filledText.optional().describe('The route, or the provider, that it asks'),
  sampling_budget_usd: limitFields.budget_usd.describe('What its questions may cost: { "day": 1, "month": 10 }'),
  shared: flag.describe('Whether all agent processes of a project use one process of the server'),
});

export const mcpFileSchema = z.strictObject({
  mcpServers: anyFields.optional().describe('The servers, by name'),
});

export type ServerValues = z.infer<typeof serverSchema>;
