// `completion`: what a shell runs to complete a command line. The script asks the program for the words that may follow, so
// that it never lags behind the commands.

import { Argument, type Command } from "commander";
import type { Run } from "../../app/shell.ts";
import { exitCode } from "../../domain/exit-code.ts";

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_pegbot() { mapfile -t COMPREPLY < <(compgen -W "$(pegbot completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"); }
complete -o default -F _pegbot pegbot`,
  zsh: `_pegbot() { local -a found; found=(\${(f)"$(pegbot completion words -- "\${(@)words[2,CURRENT-1]}" 2>/dev/null)"}); compadd -a found || _files; }
compdef _pegbot pegbot`,
  fish: `function _pegbot
    set -l found (pegbot completion words -- (commandline -opc)[2..] 2>/dev/null | string match -- (commandline -ct)'*')
    set -q found[1]; and printf '%s\\n' $found; or __fish_complete_path (commandline -ct)
end
complete -c pegbot -f -a '(_pegbot)'`,
};

const HELP = `
bash: eval "$(pegbot completion bash)" in ~/.bashrc; zsh the same in ~/.zshrc,
after compinit; fish: pegbot completion fish | source in config.fish.`;

export function defineCompletion(command: Command, run: Run): void {
  command
    .addArgument(new Argument("<shell>", "words: those that may follow").choices([...Object.keys(SCRIPTS), "words"]))
    .argument("[typed...]", "of words: what stands before the cursor, after --")
    .addHelpText("after", HELP)
    .action((shell: string, typed: readonly string[]) =>
      run(({ terminal }) => {
        const script = SCRIPTS[shell];
        const lines = script === undefined ? following(command.parent ?? command, typed) : [script];
        for (const line of lines) terminal.print(line);
        return exitCode.done;
      }),
    );
}

/** Only the commands that the line names have their options, and it names those that were typed. */
function following(program: Command, typed: readonly string[]): readonly string[] {
  const at = typed.reduce((from, word) => from.commands.find((one) => one.name() === word) ?? from, program);
  const help = at.createHelp();
  const options = [...help.visibleOptions(at), ...help.visibleGlobalOptions(at)];
  const before = options.find(({ long }) => long === (typed.at(-1) ?? ""));
  if (before?.required === true) return before.argChoices ?? [];
  const choices = at.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const names = help.visibleCommands(at).map((one) => one.name());
  return [...names, ...choices, ...options.flatMap(({ long }) => long ?? [])];
}
