import { useId } from 'react';
import { number, t } from '../messages/text';
import { Icon } from './icon';
import { Unseen } from './layout';
import styles from './stars.module.css';

interface Rating {
  mean: number | null;
  count: number;
}

/** What reviews say in one number. */
export function Stars({ rating: { mean, count } }: { rating: Rating }) {
  if (mean === null || count === 0) return <span className={styles.stars}>{t.ui.notRated}</span>;
  return (
    <span className={styles.stars}>
      <Icon name="star" filled />
      <span aria-hidden="true">
        {number(mean)} ({number(count)})
      </span>
      <Unseen>{t.ui.rating(number(mean), count)}</Unseen>
    </span>
  );
}

const MARKS = [1, 2, 3, 4, 5];

interface StarChoiceProps {
  legend: string;
  /** 1 to 5; 0 before one is chosen. */
  value: number;
  onChange: (value: number) => void;
  error?: string | undefined;
}

/** A number of stars to give: radio buttons, so that arrow keys work. */
export function StarChoice({ legend, value, onChange, error }: StarChoiceProps) {
  const name = useId();
  return (
    <fieldset
      className={styles.choice}
      role="radiogroup"
      aria-invalid={error !== undefined || undefined}
      aria-describedby={error === undefined ? undefined : `${name}-error`}
      // So that it can be found when something is wrong with it.
      tabIndex={-1}
    >
      <legend>{legend}</legend>
      {MARKS.map((mark) => (
        <label key={mark}>
          <input
            type="radio"
            name={name}
            value={mark}
            checked={mark === value}
            onChange={() => onChange(mark)}
            aria-label={number(mark)}
          />
          <Icon name="star" filled={mark <= value} />
        </label>
      ))}
      {error !== undefined && (
        <span className={styles.error} id={`${name}-error`}>
          {error}
        </span>
      )}
    </fieldset>
  );
}
