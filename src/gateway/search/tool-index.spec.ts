import { type SearchedTool, tokenize, ToolIndex } from './tool-index';

const tool = (name: string, description?: string, title?: string): SearchedTool => ({ name, title, description });
async function namesFound(tools: readonly SearchedTool[], query: string): Promise<string[]> {
  return (await ToolIndex.of(tools)).find(query).map(({ place }) => tools[place]?.name ?? '');
}

describe('The words of a text', () => {
  it.each([
    ['getUserById', ['get', 'user', 'by', 'id']],
    ['github__list-pull_requests', ['github', 'list', 'pull', 'request']],
    ['Écrit les Données', ['ecrit', 'les', 'donnee']],
    ['S3 access!', ['s3', 'access']],
    ['', []],
    ['***', []],
  ])('of %j are %j', (text, words) => {
    expect(tokenize(text)).toEqual(words);
  });
});

describe('The index of tools', () => {
  const tools = [
    tool('github__create_issue', 'Opens an issue in a repository.'),
    tool('github__list_issues', 'Lists the issues of a repository.'),
    tool('github__merge', 'Merges a pull request. Closes issues that it names.', 'Merge a pull request'),
    tool('weather__forecast', 'The weather of tomorrow.'),
    tool('weather__history', 'The weather of the past.'),
  ];

  it('finds what has a word in its name before what has it in its description only', async () => {
    expect(await namesFound(tools, 'issue')).toEqual(['github__create_issue', 'github__list_issues', 'github__merge']);
  });

  it('puts first what has more of the words', async () => {
    expect((await namesFound(tools, 'list repository issues'))[0]).toBe('github__list_issues');
    expect((await namesFound(tools, 'merge a pull request'))[0]).toBe('github__merge');
  });

  it('finds tools by the beginning of a word, and by a part of one where no word begins so', async () => {
    expect(await namesFound(tools, 'fore')).toEqual(['weather__forecast']);
    expect(await namesFound(tools, 'ecas')).toEqual(['weather__forecast']);
    expect(await namesFound([tool('a', '今日の天気を調べる'), tool('b', '地図を探す')], '天気')).toEqual(['a']);
  });

  it('keeps the order of the tools where nothing tells them apart', async () => {
    expect(await namesFound(tools, 'weather')).toEqual(['weather__forecast', 'weather__history']);
  });

  it('finds nothing for words that no tool has, and for none', async () => {
    expect(await namesFound(tools, 'kubernetes')).toEqual([]);
    expect(await namesFound(tools, ' … ')).toEqual([]);
  });

  it('does not let a tool win by repeating a word', async () => {
    const spam = tool('spam', 'issue '.repeat(300));
    expect((await namesFound([spam, ...tools], 'create issue'))[0]).toBe('github__create_issue');
  });

  it('stays small with thousands of tools', async () => {
    const many = Array.from({ length: 5_000 }, (_, number) =>
      tool(`server${number % 50}__do_thing_${number}`, `Does thing number ${number} for those who need it. `.repeat(5)),
    );
    const index = await ToolIndex.of(many);
    expect(index.find('thing 4711')[0]?.place).toBe(4_711);
    expect(index.bytes).toBeLessThan(4_000_000);
  });

  it('stays bounded with servers that say nothing twice', async () => {
    let next = 0;
    const words = (count: number) => Array.from({ length: count }, () => `w${(next++).toString(36)}`).join(' ');
    const many = Array.from({ length: 2_000 }, (_, number) => tool(`t${number} ${words(30)}`, words(150)));
    const index = await ToolIndex.of(many);
    // 24 words of each name, and 100 of each description.
    expect(index.bytes).toBeLessThan(2_000 * 124 * 120);
    expect(index.find('t1711')[0]?.place).toBe(1_711);
  });
});
