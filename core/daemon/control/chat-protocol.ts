import { z } from 'zod';
import type { DirectChatLine } from '../../devices/direct-chat';
import { projectRefSchema } from './protocol';

/** A part of a message. The URL of an image is a `data:` URL. */
const chatPartSchema = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), url: z.string().startsWith('data:image/') }),
]);

export type ChatPart = z.infer<typeof chatPartSchema>;

const chatMessageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant']),
  content: z.union([z.string(), z.array(chatPartSchema).min(1)]),
});

/** A chat with a user, at a terminal or behind an MCP client: the whole conversation each time. */
export const userChatSchema = z.object({
  project: projectRefSchema,
  /** Absent or empty: the default provider, and its default model. */
  provider: z.string().optional(),
  model: z.string().max(200).optional(),
  /** In place of both: the name of a model, as a client of the gateway sends it. */
  name: z.string().max(200).optional(),
  /** Who asks, for the ledger. */
  asker: z.enum(['chat', 'mcp']).default('chat'),
  /** The client of the gateway that asks: only what it may ask for, under its limits and in its name. `name` then says what for. */
  client: z.string().optional(),
  messages: z.array(chatMessageSchema).min(1),
});

export type UserChat = z.infer<typeof userChatSchema>;

export type ChatMessage = UserChat['messages'][number];

export type ChatLine = { type: 'start'; provider: string; model?: string } | DirectChatLine;
