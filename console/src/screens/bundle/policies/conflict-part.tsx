import { Button } from '../../../ui/button';
import { Row } from '../../../ui/layout';
import styles from './policies.module.css';
import type { Rules, RulesDiff } from './policies-diff';
import type { KnownNames } from './rule-words';
import { RulesDiffList } from './rules-diff';
import { policiesWords } from './words';

const words = policiesWords.conflict;

interface ConflictPartProps {
  /** What was changed here started from these. */
  from: Rules;
  /** The rules as others have saved them. */
  to: Rules;
  diff: RulesDiff;
  names: KnownNames;
  /** Whether the rules themselves differ, and not only something else of the bundle. */
  isOutdated: boolean;
  onMerge: () => void;
  onTake: () => void;
}

/** Others saved meanwhile: what they changed, and what can be done with one's own changes. */
export const ConflictPart = ({ isOutdated, onMerge, onTake, ...theirs }: ConflictPartProps) => (
  <section className={styles.conflict} role="alert" aria-label={words.title}>
    <strong>{words.title}</strong>
    <p>{isOutdated ? words.help : words.rulesSame}</p>
    {isOutdated && (
      <>
        <h3>{words.theirs}</h3>
        <RulesDiffList {...theirs} />
        <Row>
          <Button look="primary" onClick={onMerge}>
            {words.merge}
          </Button>
          <Button onClick={onTake}>{words.take}</Button>
        </Row>
      </>
    )}
  </section>
);
