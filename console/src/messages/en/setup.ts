/** How something gets into a client: the form, the check, and the ways. */
export const setup = {
  values: 'Values',
  valuesHelp: 'They stay on this page: they are put into the link, the command and the file, and sent nowhere.',
  needed: 'The server needs it.',
  proposes: (value: string) => `Default: ${value}`,
  asks: (client: string) => `If you leave it empty, ${client} asks for it.`,
  variable: (name: string) => `If you leave it empty, it comes from the environment variable ${name}.`,
  kept: (placeholder: string) => `If you leave it empty, ${placeholder} stays in the file. Replace it there.`,
  notChosen: 'Not chosen',
  leftOut: (client: string, names: string) => `Left out, because ${client} cannot ask for optional values: ${names}.`,
  missing: (names: string) => `Still without a value: ${names}.`,

  runs: (client: string) => `What ${client} will run`,
  runsHelp: (client: string) =>
    `${client} starts this command on your computer, with your rights. Go on only if you trust its publisher.`,
  runsWhat: 'the command that will run',
  goOn: 'I have checked it, go on',
  connects: (client: string) => `What ${client} will connect to`,
  address: 'the address',

  open: (client: string) => `Add it to ${client}`,
  openLink: (client: string) => `Open ${client}`,
  openHelp: (client: string) =>
    `Your browser asks whether it may open ${client}, and ${client} asks before it adds it.`,
  nothing: (client: string) =>
    `Nothing happened? Then ${client} is not installed on this computer, or too old for such links.`,
  tooLong: 'With these values the link is too long for some systems. Use one of the other ways.',
  command: 'Run a command',
  commandInstead: 'Run a command instead',
  commandWhat: 'the command',
  file: 'Change the file',
  fileInstead: 'Change the file instead',
  fileHelp: (path: string) => `Put this into ${path}. If the file exists, add only what it lacks.`,
  fileWhat: 'the file',
  hidden:
    'Secrets are hidden here. What you copy contains them: it may stay in the clipboard and in the history of the shell.',
  notes: 'Good to know',

  notPossible: (client: string) => `This is not possible with ${client}`,
  instead: 'Choose another client, or connect to the address by hand.',
};
