import type { ReactNode } from 'react';
import { TextArea, TextInput, SelectInput } from '../../../../ui/field';
import { shown } from '../../../../ui/other-text';
import { isDateFormat, type Member, type Shape } from '../form-shape';
import { emptyOf, type FormFaults, isEither, type Typed } from '../form-value';
import styles from '../tools.module.css';
import { toolsWords } from '../words';
import { faultText } from './fault-text';
import { SchemaForm } from './schema-form';
import { SchemaList } from './schema-list';

const words = toolsWords.form;

export interface SchemaFieldProps {
  member: Member;
  typed: Typed;
  onChange: (typed: Typed) => void;
  path: string;
  faults: FormFaults;
  /** What the server says is wrong with it. */
  error?: string | undefined;
}

/** A field for an argument, by its schema. */
export function SchemaField(props: SchemaFieldProps) {
  const { member, typed, onChange, path, faults } = props;
  const { shape } = member;
  const fault = faults.get(path);
  const error = fault ? faultText(fault) : props.error;
  switch (shape.kind) {
    case 'object':
      return (
        <Group member={member} error={error}>
          <SchemaForm members={shape.members} typed={typed} onChange={onChange} path={path} faults={faults} />
        </Group>
      );
    case 'list':
      return (
        <Group member={member} error={error}>
          <SchemaList member={member} shape={shape} typed={typed} onChange={onChange} path={path} faults={faults} />
        </Group>
      );
    case 'either':
      return (
        <Group member={member} error={undefined}>
          <Either {...props} shape={shape} />
        </Group>
      );
    default:
      return <Leaf {...props} shape={shape} error={error} />;
  }
}

interface GroupProps {
  member: Member;
  error: string | undefined;
  children: ReactNode;
}

function Group({ member, error, children }: GroupProps) {
  const hint = hintOf(member);
  return (
    <fieldset className={styles.group} tabIndex={-1} aria-invalid={error !== undefined || undefined}>
      <legend>{labelOf(member)}</legend>
      {hint !== undefined && <span>{hint}</span>}
      {children}
      {error !== undefined && <span className={styles.error}>{error}</span>}
    </fieldset>
  );
}

function Either({
  member,
  typed,
  onChange,
  path,
  faults,
  shape,
  error,
}: SchemaFieldProps & { shape: Extract<Shape, { kind: 'either' }> }) {
  const { option, value } = isEither(typed) ? typed : { option: 0, value: '' };
  const chosen = shape.options[option];
  return (
    <>
      <SelectInput
        label={words.which}
        value={String(option)}
        onChange={({ target }) => {
          const next = Number(target.value);
          onChange({ option: next, value: emptyOf(shape.options[next]?.shape ?? { kind: 'json' }) });
        }}
        options={shape.options.map(({ label }, index) => [String(index), shown(label)] as const)}
      />
      {chosen && (
        <SchemaField
          member={{ ...member, title: undefined, description: undefined, shape: chosen.shape }}
          typed={value}
          onChange={(next) => onChange({ option, value: next })}
          path={path}
          faults={faults}
          error={error}
        />
      )}
    </>
  );
}

type LeafProps = SchemaFieldProps & { shape: Exclude<Shape, { kind: 'object' | 'list' | 'either' }> };

function Leaf({ member, typed, onChange, shape, error }: LeafProps) {
  const value = typeof typed === 'string' ? typed : '';
  const set = ({ target }: { target: { value: string } }) => onChange(target.value);
  const common = {
    label: labelOf(member),
    hint: hintOf(member),
    error,
    value,
    onChange: set,
    required: member.isRequired,
  };
  switch (shape.kind) {
    case 'boolean':
      return (
        <SelectInput
          {...common}
          options={[
            ['', member.isRequired ? words.choose : words.notGiven],
            ['true', words.yes],
            ['false', words.no],
          ]}
        />
      );
    case 'choice':
      return (
        <SelectInput
          {...common}
          options={[
            ['', member.isRequired ? words.choose : words.notGiven],
            ...shape.values.map(
              (one, index) => [String(index), shown(typeof one === 'string' ? one : JSON.stringify(one))] as const,
            ),
          ]}
        />
      );
    case 'number':
      return <TextInput {...common} inputMode={shape.isInteger && (shape.least ?? -1) >= 0 ? 'numeric' : 'decimal'} />;
    case 'json':
      return <TextArea {...common} hint={hintOf(member) ?? words.jsonHint} spellCheck={false} />;
    case 'text':
      if (shape.isLong) return <TextArea {...common} maxLength={shape.most} />;
      return <TextInput {...common} type={typeOf(member, shape.format)} />;
  }
}

function typeOf({ isSecret }: Member, format: string | undefined): string {
  if (isSecret) return 'password';
  // An instant has a zone, which the inputs of browsers lack: it is typed.
  return isDateFormat(format) && format === 'date' ? 'date' : 'text';
}

function labelOf({ name, title }: Member): string {
  return title === undefined || title === name ? shown(name) : words.titled(shown(title), shown(name));
}

function hintOf({ description, shape }: Member): string | undefined {
  const format = shape.kind === 'text' && shape.format !== undefined ? words.formats[shape.format] : undefined;
  const parts = [description === undefined ? undefined : shown(description), format].filter((one) => one !== undefined);
  return parts.length === 0 ? undefined : parts.join(' ');
}
