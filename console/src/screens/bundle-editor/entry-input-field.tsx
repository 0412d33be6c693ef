import { SelectInput, TextInput } from '../../ui/field';
import { Quiet } from '../../ui/layout';
import { OtherText, shown } from '../../ui/other-text';
import type { EntryInput } from './inputs';
import { editorWords } from './words';

const words = editorWords.settings;

interface Props {
  input: EntryInput;
  value: unknown;
  error: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** A value that a server takes. A secret has no field: the API keeps none in a configuration. */
export function EntryInputField({ input, value, error, onChange }: Props) {
  const label = `${shown(input.name)} (${words.groups[input.group]})`;
  if (input.isSecret) {
    return (
      <div>
        <OtherText>{input.name}</OtherText>
        <br />
        <Quiet>{words.secret}</Quiet>
      </div>
    );
  }
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const isMissing = input.isRequired && text === '' && input.default === undefined;
  const hint = [
    shown(input.description ?? ''),
    ...(input.default === undefined ? [] : [words.byDefault(shown(input.default))]),
    ...(isMissing ? [words.required] : []),
  ].join(' ');
  const common = {
    label,
    required: input.isRequired,
    error,
    value: text,
    ...(input.description !== undefined || input.default !== undefined || isMissing ? { hint } : {}),
  };
  const choices = input.choices.length > 0 ? input.choices : input.format === 'boolean' ? ['true', 'false'] : [];
  const set = (next: string) => onChange(next === '' ? undefined : next);
  if (choices.length > 0) {
    const all = [...new Set([...choices, ...(text === '' ? [] : [text])])];
    return (
      <SelectInput
        {...common}
        options={[['', words.unset], ...all.map((one) => [one, shown(one)] as const)]}
        onChange={({ target }) => set(target.value)}
      />
    );
  }
  const isNumber = input.format === 'number';
  const isWrong = isNumber && text !== '' && !Number.isFinite(Number(text));
  return (
    <TextInput
      {...common}
      error={error ?? (isWrong ? words.wrongNumber : undefined)}
      {...(isNumber && { inputMode: 'decimal' as const })}
      onChange={({ target }) => set(target.value)}
    />
  );
}
