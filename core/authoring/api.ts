/**
 * The test kit for authors of drivers, public as `drivebay/testing`: the conformance cases and two fake backends. It uses
 * `node:assert`, so that it works with any test runner. See docs/testing-a-driver.md.
 */
export { conformanceCases, type ConformanceCase, type ConformanceOptions } from './conformance/conformance-cases';
export { fixtureCases, type FixtureCase, type FixtureOptions } from './fixtures/fixture-cases';
export { httpBackend, type HttpWire } from './fakes/http-backend';
export { cliBackend, type CliWire } from './fakes/cli-backend';
export type {
  Ability,
  Backend,
  Fault,
  ProcessConduct,
  ReceivedChat,
  RunningBackend,
  ScriptedAnswer,
  ScriptedFailure,
  ScriptedToolCall,
  ScriptedVectors,
  Situation,
  UnderstoodChat,
} from './fakes/backend';
export { FakeHttpServer, type HttpAnswerer, type HttpRequestRecord } from './fakes/fake-http-server';
export {
  CUT,
  json,
  lines,
  raw,
  sse,
  STALL,
  type HttpAnswer,
  type HttpAnswerOptions,
  type HttpPiece,
} from './fakes/http-answer';
export { FakeCli, type CliConversation, type CliRunRecord, type CliScript } from './fakes/fake-cli';
export { HANG, type CliAction, type CliChild, type CliStep } from './fakes/cli-step';
