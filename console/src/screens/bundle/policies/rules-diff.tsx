import { Badge } from '../../../ui/badge';
import styles from './policies.module.css';
import type { Rules, RulesDiff } from './policies-diff';
import { type KnownNames, ruleSentence } from './rule-words';
import { policiesWords } from './words';

const words = policiesWords.changes;
const defaults = policiesWords.defaults;

interface RulesDiffListProps {
  from: Rules;
  to: Rules;
  diff: RulesDiff;
  names: KnownNames;
}

/** What differs between rules, each as a sentence. */
export const RulesDiffList = ({ from, to, diff, names }: RulesDiffListProps) => (
  <ul className={styles.changes}>
    {diff.isDefaultChanged && (
      <li>
        {defaults.changed(defaults.values[from.default_access][0] ?? '', defaults.values[to.default_access][0] ?? '')}
      </li>
    )}
    {diff.added.map((rule, index) => (
      <li key={`added.${index}`}>
        <Badge tone="good" icon="plus">
          {words.added}
        </Badge>
        <bdi>{ruleSentence(rule, names, policiesWords.rule)}</bdi>
      </li>
    ))}
    {diff.removed.map((rule, index) => (
      <li key={`removed.${index}`}>
        <Badge tone="bad" icon="trash">
          {words.removed}
        </Badge>
        <bdi>{ruleSentence(rule, names, policiesWords.rule)}</bdi>
      </li>
    ))}
    {diff.isReordered && <li>{words.order}</li>}
  </ul>
);
