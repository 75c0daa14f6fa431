import { messageOf } from '../../core/errors';
import { explainFolder } from '../../core/paths';
import { readIndex } from '../../core/record/process-index';
import { tempFolder } from '../setup/temp-folder';

test('a folder in the place of the index is named, with the variable that moves the state folder', () => {
  const state = tempFolder();
  let thrown: unknown;
  try {
    readIndex(state);
  } catch (error) {
    thrown = explainFolder(error, { state });
  }
  expect(messageOf(thrown)).toContain(`${state} is a folder, and a file of ours belongs there`);
  expect(thrown).toMatchObject({ hint: expect.stringContaining('export XDG_STATE_HOME=') });
});
