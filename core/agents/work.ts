import type { ChatRequest, Message } from '../contract/api';
import { defined } from '../fields';
import { nextTarget } from '../contract/failure-policy';
import { askInTurn } from '../devices/ask-in-turn';
import type { LlmDevice } from '../devices/device';
import { withoutSignatures } from '../devices/without-signatures';
import { Conversation } from './conversation';
import { joinUserMessages } from './earlier-process';
import { bothFailed, StepFailed } from './failures';
import type { Plan } from './plan';
import type { ModelChoice } from './resolve-models';
import type { RecordedSession } from '../record/process-event';
import { recordFallback, type ProcessRun } from './process-run';
import { ProcessTools } from './process-tools';
import type { LoadedSkill } from './skills';
import type { StepAnswer } from './step';

/** The work of a process: a conversation. When its provider fails, the fallback provider continues it. */
export async function work(run: ProcessRun, plan: Plan): Promise<StepAnswer> {
  const { primary, fallback } = plan;
  const opening = openingFor(plan, primary);
  const tools = new ProcessTools(plan.tools, run);
  const conversation = converse(run, tools, primary, opening, plan.session);
  let first: StepFailed | undefined;
  const ask = (choice: ModelChoice) => {
    if (choice === primary) return conversation.complete();
    const since = withoutSignatures(conversation.messages.slice(opening.length));
    const session = since.length === 0 ? plan.session : undefined;
    return converse(run, tools, choice, [...openingFor(plan, choice), ...since], session).complete();
  };
  const leadsOn = (error: unknown): error is StepFailed =>
    error instanceof StepFailed && !run.signal.aborted && !error.hasBegun && nextTarget(error.failure).agent;
  const makeWay = async (failed: ModelChoice, error: StepFailed, { device: next }: ModelChoice) => {
    // Two agents must not work in one folder at the same time.
    await run.programsEnded();
    run.signal.throwIfAborted();
    first = error;
    recordFallback(run, failed.device, next, error.failure.message);
  };
  try {
    return await askInTurn(fallback ? [primary, fallback] : [primary], ask, { leadsOn, makeWay });
  } catch (error) {
    throw first && error instanceof StepFailed ? bothFailed(first, error) : error;
  } finally {
    run.awaitEnd(tools.close());
  }
}

function converse(
  run: ProcessRun,
  tools: ProcessTools,
  { device, model, effort }: ModelChoice,
  messages: Message[],
  session: RecordedSession | undefined,
): Conversation {
  const request: ChatRequest = { stream: true, messages: [...messages], extra: {}, model, reasoningEffort: effort };
  return new Conversation(run, tools, device, defined(request), { depth: 0, session });
}

function openingFor({ origin, instructions, skills, history }: Plan, { device }: ModelChoice): Message[] {
  const texts = device.capabilities.skillFolders ? [] : skills.map((skill) => skillText(skill, device));
  const system = [instructions.trim(), ...texts].filter((text) => text !== '').join('\n\n');
  const say = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });
  const spoken = joinUserMessages([...history, say('user', origin.intent)]);
  return [...(system === '' ? [] : [say('system', system)]), ...spoken];
}

/** An agent CLI can read the files beside the SKILL.md. A model behind an API cannot use a path of this machine. */
function skillText({ name, directory, text }: LoadedSkill, { driverKind }: LlmDevice): string {
  const place = driverKind === 'cli' ? [`The files of this skill are in ${directory}`] : [];
  return [`# Skill: ${name}`, ...place, text.trim()].join('\n\n');
}
