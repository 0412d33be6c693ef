import type { ApiProblem } from '../../../api/problem';
import { Button } from '../../../ui/button';
import { TextInput } from '../../../ui/field';
import { Quiet } from '../../../ui/layout';
import type { HeaderLine } from './endpoint-values';
import { listWords } from './words';
import styles from './webhooks.module.css';

const words = listWords.form;
const MOST = 20;

interface HeaderLinesProps {
  lines: readonly HeaderLine[];
  onChange: (lines: HeaderLine[]) => void;
  error: ApiProblem | null;
}

/** The custom headers of an endpoint. Values are secrets: they are in the memory of the form only. */
export function HeaderLines({ lines, onChange, error }: HeaderLinesProps) {
  const change = (key: number, next: Partial<HeaderLine>) =>
    onChange(lines.map((line) => (line.key === key ? { ...line, ...next } : line)));
  const add = () => {
    const key = Math.max(-1, ...lines.map((line) => line.key)) + 1;
    onChange([...lines, { key, name: '', value: '', isStored: false }]);
  };
  return (
    <fieldset className={styles.plain}>
      <legend>{words.headers}</legend>
      <Quiet>{words.headersHelp}</Quiet>
      {lines.map(({ key, name, value, isStored }, place) => (
        <div key={key} className={styles.header}>
          <TextInput
            label={words.headerNameOf(place + 1)}
            value={name}
            onChange={(event) => change(key, { name: event.target.value })}
            readOnly={isStored}
            error={error?.at(`headers.${name.trim()}`)}
            maxLength={64}
            required
          />
          <TextInput
            label={words.headerValueOf(place + 1)}
            type="password"
            placeholder={isStored ? words.headerKept : undefined}
            value={value}
            onChange={(event) => change(key, { value: event.target.value })}
            autoComplete="off"
            maxLength={1_024}
            required={!isStored}
            isFilter
          />
          <Button
            icon="trash"
            aria-label={words.removeHeader(name === '' ? String(place + 1) : name)}
            onClick={() => onChange(lines.filter((line) => line.key !== key))}
          />
        </div>
      ))}
      {error?.at('headers') !== undefined && <p className={styles.error}>{error.at('headers')}</p>}
      {lines.length < MOST && (
        <div>
          <Button icon="plus" onClick={add}>
            {words.addHeader}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
