import type { CaseDefinition } from './case-definition';
import { answerCases } from './cases/answer-cases';
import { cancelCases } from './cases/cancel-cases';
import { embeddingCases } from './cases/embedding-cases';
import { factCases } from './cases/fact-cases';
import { faithfulCases } from './cases/faithful-cases';
import { failureCases } from './cases/failure-cases';
import { guestCases } from './cases/guest-cases';
import { isolationCases } from './cases/isolation-cases';
import { lifecycleCases } from './cases/lifecycle-cases';
import { partCases } from './cases/part-cases';
import { processCases } from './cases/process-cases';
import { reachCases } from './cases/reach-cases';
import { requestCases } from './cases/request-cases';
import { fileCases, secretCases } from './cases/secret-cases';
import { toolCases } from './cases/tool-cases';

/** The cases in the order of a run and of the docs. A separate file, because the type of a case leads to zod, which authors do not need. */
export const allCases: readonly CaseDefinition[] = [
  ...[...answerCases, ...requestCases, ...faithfulCases, ...partCases, ...toolCases, ...reachCases, ...embeddingCases],
  ...[...failureCases, ...cancelCases, ...processCases],
  ...[...isolationCases, ...lifecycleCases, ...factCases, ...secretCases, ...fileCases, ...guestCases],
];
