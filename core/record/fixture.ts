import type { ChatRequest } from '../contract/api';
import type { AnswerView } from './exchange-view';
import type { StepUsage } from './usage';

/** The version of the form. */
export const FIXTURE = 1;

/** A recorded chat in the words of no wire: `drivebay debug export --as fixture` writes it, and `drivebay/testing` plays it. */
export interface Fixture {
  fixture: typeof FIXTURE;
  /** Of the request. */
  id: string;
  /** The driver that has answered. */
  driver: string;
  /** As its provider was asked. */
  request: ChatRequest;
  /** The texts of the answer as they came. */
  pieces: string[];
  answer: AnswerView;
  usage?: StepUsage;
  /** Absent for an answer that is complete. */
  failure?: { code: string; message: string; status?: number };
}
