import type { PolicyRule } from '../../../api/schema';
import { number } from '../../../messages/text';
import { Badge } from '../../../ui/badge';
import { Button } from '../../../ui/button';
import { Lines, Quiet, Row } from '../../../ui/layout';
import { Empty } from '../../../ui/problem';
import bundleStyles from '../bundle.module.css';
import styles from './policies.module.css';
import { type KnownNames, ruleSentence } from './rule-words';
import { policiesWords } from './words';

const words = policiesWords.rules;

export interface RuleActions {
  onEdit: (place: number) => void;
  onRemove: (place: number) => void;
  onUp: (place: number) => void;
}

interface RuleListProps {
  rules: readonly PolicyRule[];
  names: KnownNames;
  /** Left out where rules are only read. */
  actions?: RuleActions;
  /** What the API said is wrong with a rule, by its place. */
  errors?: ReadonlyMap<number, string>;
}

/** Rules in their order, each as a sentence. There are at most 200. */
export function RuleList({ rules, names, actions, errors }: RuleListProps) {
  if (rules.length === 0) return <Empty>{words.empty}</Empty>;
  return (
    <Lines label={words.label}>
      {rules.map((rule, place) => {
        const sentence = ruleSentence(rule, names, policiesWords.rule);
        const label = (action: string) => words.of(action, sentence);
        const error = errors?.get(place);
        return (
          <li key={place}>
            <div className={bundleStyles.line}>
              <div className={bundleStyles.grow}>
                <bdi>{sentence}</bdi>
                <Quiet>{words.number(number(place + 1))}</Quiet>
                {error !== undefined && <span className={styles.error}>{error}</span>}
              </div>
              <Badge tone={rule.effect === 'ALLOW' ? 'good' : 'bad'} icon={rule.effect === 'ALLOW' ? 'check' : 'close'}>
                {words.effects[rule.effect]}
              </Badge>
              {actions && (
                <Row>
                  <Button
                    icon="up"
                    look="plain"
                    aria-label={label(words.up)}
                    disabled={place === 0}
                    onClick={() => actions.onUp(place)}
                  />
                  <Button icon="pencil" aria-label={label(words.edit)} onClick={() => actions.onEdit(place)}>
                    {words.edit}
                  </Button>
                  <Button icon="trash" aria-label={label(words.remove)} onClick={() => actions.onRemove(place)}>
                    {words.remove}
                  </Button>
                </Row>
              )}
            </div>
          </li>
        );
      })}
    </Lines>
  );
}
