import { useId } from 'react';
import styles from './explained-choice.module.css';

interface ExplainedChoiceProps<Value extends string> {
  legend: string;
  value: Value;
  onChange: (value: Value) => void;
  /** Value, text, and what it means. */
  options: readonly (readonly [Value, string, string])[];
  error?: string | undefined;
}

/** One of a few values, each with what it means. */
export function ExplainedChoice<Value extends string>({
  legend,
  value,
  onChange,
  options,
  error,
}: ExplainedChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset className={styles.choice} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{legend}</legend>
      <div className={styles.options}>
        {options.map(([option, text, help]) => (
          <label key={option} className={styles.option}>
            <input
              type="radio"
              name={id}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
              aria-labelledby={`${id}-${option}`}
              aria-describedby={`${id}-${option}-help`}
              aria-invalid={error !== undefined || undefined}
            />
            <span id={`${id}-${option}`}>{text}</span>
            <span id={`${id}-${option}-help`} className={styles.help}>
              {help}
            </span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
