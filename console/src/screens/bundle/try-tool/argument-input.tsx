import type { ReactNode } from 'react';
import { number } from '../../../messages/text';
import { SelectInput, TextArea, TextInput } from '../../../ui/field';
import { OtherText, shown } from '../../../ui/other-text';
import type { FieldFault } from './arguments';
import type { ArgumentField } from './schema-fields';
import { tryWords } from './words';

interface ArgumentInputProps {
  field: ArgumentField;
  text: string;
  fault: FieldFault | undefined;
  onChange: (text: string) => void;
}

/** One argument, by the input that fits its type. */
export function ArgumentInput({ field, text, fault, onChange }: ArgumentInputProps) {
  const common = {
    label: shown(field.path.join(' › ')),
    hint: <Hint field={field} />,
    error: fault && wordsOf(fault),
    required: field.isRequired,
    value: text,
  };
  switch (field.kind) {
    case 'choice':
      return (
        <SelectInput
          {...common}
          options={[
            ['', tryWords.notChosen],
            ...field.choices.map((one, place) => [String(place), choiceText(one)] as const),
          ]}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'boolean':
      return (
        <SelectInput
          {...common}
          options={[
            ['', tryWords.notChosen],
            ['true', tryWords.yes],
            ['false', tryWords.no],
          ]}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'long-text':
    case 'list':
    case 'json':
      return (
        <TextArea
          {...common}
          spellCheck={field.kind === 'long-text'}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          type={field.kind === 'secret' ? 'password' : 'text'}
          inputMode={field.kind === 'number' || field.kind === 'integer' ? 'decimal' : undefined}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

function Hint({ field: { title, description, kind, proposed, choices } }: { field: ArgumentField }): ReactNode {
  const kinds: Partial<Record<ArgumentField['kind'], string>> = {
    list: tryWords.onePerLine,
    json: tryWords.asJson,
    secret: tryWords.secret,
  };
  const value = kind === 'choice' && proposed !== '' ? choiceText(choices[Number(proposed)]) : proposed;
  return (
    <>
      {title !== undefined && (
        <>
          <OtherText>{title}</OtherText>{' '}
        </>
      )}
      {description !== undefined && (
        <>
          <OtherText>{description}</OtherText>{' '}
        </>
      )}
      {kinds[kind]} {proposed !== '' && tryWords.proposed(shown(value))}
    </>
  );
}

function choiceText(choice: unknown): string {
  return shown(typeof choice === 'string' ? choice : JSON.stringify(choice));
}

function wordsOf(found: FieldFault): string {
  if ('limit' in found) return tryWords.faults[found.fault](number(found.limit));
  return tryWords.faults[found.fault];
}
