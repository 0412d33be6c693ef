import { useEffect, useRef } from 'react';
import type { Fault } from '../../api/problem';
import { useList, useRead } from '../../api/queries';
import type { CredentialMode, Pinning } from '../../api/schema';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { SelectInput, TextArea, TextInput } from '../../ui/field';
import { focusFirstInvalid } from '../../ui/focus-first';
import { Facts, Quiet, Stack } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import { Loaded } from '../../ui/problem';
import { type EditedEntry, leavesOf, withLeaf } from './entries';
import { EntryInputField } from './entry-input-field';
import { inputsOf, waysOf } from './inputs';
import { nameOf } from './names';
import type { Editor } from './use-editor';
import { editorWords } from './words';

const words = editorWords.settings;
const KNOWN = ['env', 'headers', 'variables', 'args', 'run_with'];

interface Props {
  editor: Editor;
  entry: EditedEntry;
  faults: readonly Fault[];
  onClose: () => void;
}

/** All of an entry that can be set; a change is in the draft at once, and sent when the bundle is saved. */
export function EntrySettings({ editor, entry, faults, onClose }: Props) {
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (faults.length > 0) focusFirstInvalid(form.current);
  }, [faults]);
  const listing_id = entry.listing_id ?? '';
  const versions = useList('GET /v1/mcp/listings/{listing_id}/versions', {
    path: { listing_id },
    query: { limit: 100 },
  });
  const known = versions.items.filter(({ status }) => status !== 'deleted').map(({ version }) => version);
  const options = [...new Set([...known, ...(entry.version === null ? [] : [entry.version])])];
  const at = (field: string) => faults.find(({ loc }) => loc.join('.') === field)?.msg;
  const newest = versions.items.find(({ is_latest }) => is_latest)?.version ?? entry.listing_version ?? '';
  return (
    <Dialog open wide title={editorWords.list.settingsOf(nameOf(entry))} onClose={onClose}>
      <div ref={form}>
        <Stack>
          <Facts
            facts={[[words.key, entry.key === null ? words.keyNew : <OtherText key="key">{entry.key}</OtherText>]]}
          />
          <SelectInput
            label={words.version}
            error={at('version')}
            value={entry.version ?? ''}
            options={[['', words.newest(shown(newest))], ...options.map((one) => [one, shown(one)] as const)]}
            onChange={({ target }) => editor.update({ ...entry, version: target.value === '' ? null : target.value })}
          />
          <SelectInput
            label={words.accounts}
            error={at('credential_mode')}
            value={entry.credential_mode}
            options={Object.entries(words.modes)}
            onChange={({ target }) => editor.update({ ...entry, credential_mode: target.value as CredentialMode })}
          />
          <SelectInput
            label={words.pinning}
            error={at('pinning')}
            value={entry.pinning ?? ''}
            options={Object.entries(words.pinnings).filter(([value]) => value !== '' || editor.isNew(entry))}
            onChange={({ target }) =>
              editor.update({ ...entry, pinning: target.value === '' ? null : (target.value as Pinning) })
            }
          />
          <TextInput
            type="url"
            label={words.address}
            hint={words.addressHint}
            error={at('endpoint_url')}
            maxLength={2048}
            value={entry.endpoint_url ?? ''}
            onChange={({ target }) =>
              editor.update({ ...entry, endpoint_url: target.value === '' ? null : target.value })
            }
          />
          <Inputs editor={editor} entry={entry} version={entry.version ?? newest} at={at} />
          <Button look="primary" onClick={onClose}>
            {words.done}
          </Button>
        </Stack>
      </div>
    </Dialog>
  );
}

interface InputsProps {
  editor: Editor;
  entry: EditedEntry;
  version: string;
  at: (field: string) => string | undefined;
}

function Inputs({ editor, entry, version, at }: InputsProps) {
  const read = useRead(
    'GET /v1/mcp/listings/{listing_id}/versions/{version}',
    { path: { listing_id: entry.listing_id ?? '', version } },
    { enabled: version !== '' },
  );
  const leaves = leavesOf(entry);
  const set = (path: string[], value: unknown) => editor.update(withLeaf(entry, JSON.stringify(path), value));
  const { args, run_with: runWith } = entry.config;
  const others = Object.keys(entry.config).filter((name) => !KNOWN.includes(name));
  return (
    <>
      <h3>{words.inputs}</h3>
      {at('config') !== undefined && <p role="alert">{shown(at('config'))}</p>}
      <Loaded read={read}>
        {({ server }) => {
          const inputs = inputsOf(server, runWith);
          const ways = waysOf(server);
          return (
            <>
              {ways.length > 0 && (
                <SelectInput
                  label={words.way}
                  error={at('config.run_with')}
                  value={typeof runWith === 'string' ? runWith : ''}
                  options={[['', words.anyWay], ...ways.map((way) => [way, way] as const)]}
                  onChange={({ target }) => set(['config', 'run_with'], target.value === '' ? undefined : target.value)}
                />
              )}
              {inputs.length === 0 && <Quiet>{words.noInputs}</Quiet>}
              {inputs.map((input) => (
                <EntryInputField
                  key={`${input.group} ${input.name}`}
                  input={input}
                  error={at(`config.${input.group}.${input.name}`)}
                  value={leaves.get(JSON.stringify(['config', input.group, input.name]))}
                  onChange={(value) => set(['config', input.group, input.name], value)}
                />
              ))}
            </>
          );
        }}
      </Loaded>
      <TextArea
        label={words.args}
        hint={words.argsHint}
        error={at('config.args')}
        rows={3}
        value={Array.isArray(args) ? args.join('\n') : ''}
        onChange={({ target }) => set(['config', 'args'], target.value === '' ? undefined : target.value.split('\n'))}
      />
      {others.length > 0 && (
        <Quiet>
          {words.otherHelp} <OtherText>{others.join(', ')}</OtherText>
        </Quiet>
      )}
    </>
  );
}
