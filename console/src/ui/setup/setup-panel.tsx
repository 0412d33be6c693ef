import { useState } from 'react';
import { listOf } from '../../messages/text';
import { Button } from '../button';
import { CopyBlock } from '../copy';
import { Quiet, Stack } from '../layout';
import { shown } from '../other-text';
import { fill, inSingleQuotes, proposed, type Typed, withoutSecrets } from './fill';
import type { Setup } from './setup';
import { SetupNotes } from './setup-notes';
import { SetupValues } from './setup-values';
import { SetupWays } from './setup-ways';
import { words } from './words';

interface SetupPanelProps {
  /** What `install` or `connect` answered. */
  setup: Setup;
  /** As people call the client: "VS Code". */
  clientName: string;
  /** The command line that the client will run; by default that of the answer. Null: it runs none. */
  runs?: string | null;
  /** What was typed, where another part keeps it while the client changes. It has secrets: in memory only. */
  typed?: Typed;
  onTyped?: (typed: Typed) => void;
}

/**
 * How something gets into a client: its values are asked for, what will run is shown, and then it can be opened or copied.
 * What is typed is in the memory of the page only.
 */
export function SetupPanel({ setup, clientName, runs = setup.runs ?? null, ...kept }: SetupPanelProps) {
  const { inputs, notes, endpoint_url: endpointUrl } = setup;
  const [own, setOwn] = useState<Typed>({});
  const { typed: changed = own, onTyped: setChanged = setOwn } = kept;
  const [checked, setChecked] = useState<string>();
  if (!setup.is_possible) return <NotPossible setup={setup} clientName={clientName} />;

  const typed = { ...proposed(inputs), ...changed };
  const shownTyped = withoutSecrets(inputs, typed);
  const willRun = runs === null ? undefined : fill(runs, inputs, shownTyped, inSingleQuotes);
  // Another command has to be looked at again.
  const isChecked = willRun === undefined || willRun === checked;
  const leftOut = inputs.filter(({ placeholder }) => placeholder === null).map(({ name }) => shown(name));
  return (
    <Stack gap="wide">
      <SetupValues
        inputs={inputs}
        clientName={clientName}
        typed={typed}
        onChange={(name, value) => setChanged({ ...changed, [name]: value })}
      />
      {leftOut.length > 0 && <Quiet>{words.leftOut(clientName, listOf(leftOut))}</Quiet>}
      {willRun !== undefined && (
        <Stack gap="tight">
          <h3>{words.runs(clientName)}</h3>
          <p>{words.runsHelp(clientName)}</p>
          <CopyBlock text={willRun} what={words.runsWhat} isReadOnly />
          {!isChecked && (
            <div>
              <Button look="primary" onClick={() => setChecked(willRun)}>
                {words.goOn}
              </Button>
            </div>
          )}
        </Stack>
      )}
      {willRun === undefined && endpointUrl !== null && (
        <Stack gap="tight">
          <h3>{words.connects(clientName)}</h3>
          <CopyBlock text={endpointUrl} what={words.address} />
        </Stack>
      )}
      {isChecked && (
        <SetupWays
          setup={setup}
          clientName={clientName}
          typed={typed}
          shownTyped={shownTyped}
          takesFocus={willRun !== undefined}
        />
      )}
      <SetupNotes notes={notes} />
    </Stack>
  );
}

function NotPossible({ setup, clientName }: { setup: Setup; clientName: string }) {
  const { problem, notes, endpoint_url: endpointUrl } = setup;
  return (
    <Stack>
      <Stack gap="tight">
        <h3>{words.notPossible(clientName)}</h3>
        {problem && <p>{shown(problem.detail)}</p>}
        {endpointUrl !== null && <Quiet>{words.instead}</Quiet>}
      </Stack>
      {endpointUrl !== null && <CopyBlock text={endpointUrl} what={words.address} />}
      <SetupNotes notes={notes} />
    </Stack>
  );
}
