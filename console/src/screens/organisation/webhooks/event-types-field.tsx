import { useState } from 'react';
import { useRead } from '../../../api/queries';
import type { EventType, SubscribableEventType } from '../../../api/schema';
import { number } from '../../../messages/text';
import { TextInput } from '../../../ui/field';
import { Quiet, Row } from '../../../ui/layout';
import { Loaded } from '../../../ui/problem';
import { isOfOrganisations } from './endpoint-values';
import { listWords } from './words';
import styles from './webhooks.module.css';

const words = listWords.form;

interface EventTypesFieldProps {
  values: readonly EventType[];
  onChange: (values: EventType[]) => void;
  error: string | undefined;
}

/** What an endpoint of an organisation receives, by group. */
export function EventTypesField({ values, onChange, error }: EventTypesFieldProps) {
  const read = useRead('GET /v1/webhooks/event-types', {});
  const [text, setText] = useState('');
  return (
    <fieldset className={styles.plain} aria-invalid={error !== undefined || undefined}>
      <legend>{words.events}</legend>
      <Row between>
        <Quiet>{words.eventsHelp}</Quiet>
        <span role="status">
          <Quiet>{words.chosen(number(values.length))}</Quiet>
        </span>
      </Row>
      <TextInput
        isFilter
        type="search"
        label={words.eventSearch}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Loaded read={read} lines={6}>
        {(types) => <Groups types={types} text={text} values={values} onChange={onChange} />}
      </Loaded>
      {error !== undefined && <p className={styles.error}>{error}</p>}
    </fieldset>
  );
}

interface GroupsProps extends Omit<EventTypesFieldProps, 'error'> {
  types: readonly SubscribableEventType[];
  text: string;
}

function Groups({ types, text, values, onChange }: GroupsProps) {
  const wanted = text.trim().toLowerCase();
  // A type that was chosen otherwise stays to be seen, and can be taken away.
  const found = types.filter(
    ({ event_type: type, label }) =>
      (isOfOrganisations(type) || values.includes(type)) && `${type} ${label}`.toLowerCase().includes(wanted),
  );
  const groups = [...new Set(found.map(({ group }) => group))];
  const choose = (some: readonly EventType[], isChosen: boolean) =>
    onChange([...values.filter((one) => !some.includes(one)), ...(isChosen ? some : [])]);
  if (found.length === 0) return <Quiet>{words.noEvent}</Quiet>;
  return (
    <div className={styles.events}>
      {groups.map((group) => {
        const own = found.filter((one) => one.group === group);
        const names = own.map(({ event_type: type }) => type);
        const isWhole = names.every((name) => values.includes(name));
        return (
          <fieldset key={group} className={styles.group}>
            <legend>{group}</legend>
            {own.length > 1 && (
              <label className={styles.check}>
                <input type="checkbox" checked={isWhole} onChange={() => choose(names, !isWhole)} />
                <span>{words.allOf(group)}</span>
              </label>
            )}
            {own.map(({ event_type: type, label }) => (
              <label key={type} className={styles.check}>
                <input
                  type="checkbox"
                  checked={values.includes(type)}
                  onChange={() => choose([type], !values.includes(type))}
                />
                <span>
                  {label} <code>{type}</code>
                </span>
              </label>
            ))}
          </fieldset>
        );
      })}
    </div>
  );
}
