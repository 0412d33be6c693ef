import { DefaultReporter } from '@jest/reporters';

const MAX_CHARACTERS = 2_000;

/** jest's own reporter, with messages of failed tests that a person can read: at most 2,000 characters each. */
export default class ShortFailures extends DefaultReporter {
  onTestResult(test, result, aggregated) {
    if (result.failureMessage) {
      result.failureMessage = result.failureMessage
        .split(/(?=^ {2}● )/m)
        .map(shorten)
        .join('');
    }
    super.onTestResult(test, result, aggregated);
  }
}

/** Keeps the beginning, which names the test and says what was expected, and the end, which has the line. */
function shorten(message) {
  if (message.length <= MAX_CHARACTERS) return message;
  const cut = message.length - MAX_CHARACTERS;
  const head = Math.round(MAX_CHARACTERS * 0.7);
  return `${message.slice(0, head)}\n    … ${cut} characters left out …\n${message.slice(head + cut)}`;
}
