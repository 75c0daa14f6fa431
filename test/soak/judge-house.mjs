import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeAgents, judgeQuestions } from './judge.mjs';
import { judgeLedger, judgeUsage, readLedger } from './ledger.mjs';

/** What the clients, the backends, the ledger and the records of a house say, when its daemon has ended. */
export function judgeHouse({ house, marks, faults }, records, lostMs) {
  const answers = new Map(Object.values(house.backends).flatMap(({ answers: each }) => [...each]));
  for (const name of readFileSync(join(house.home, 'asked'), 'utf8').split('\n').filter(Boolean)) {
    const number = 1_000_000_000 + Number(name.slice(1));
    // Asked twice it is two answers of one number.
    answers.set(answers.has(number) ? `${number} again` : number, { number, name });
  }
  const { kills } = house;
  const ledger = readLedger(house);
  const wrong = Object.values(house.backends).flatMap((backend) => backend.faults);
  return {
    lost: [...faults, ...house.faults, ...wrong],
    questions: judgeQuestions(marks, answers),
    ledger: [
      ...judgeLedger(ledger, { answers, marks, kills, lostMs }),
      ...judgeUsage(ledger, house.readUsage(), house.name),
    ],
    agents: judgeAgents(marks, records, { kills, lostMs }),
    lines: ledger.entries.length,
  };
}
