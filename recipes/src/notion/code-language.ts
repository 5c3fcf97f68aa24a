/** The languages that Notion knows for a block of code (the type `LanguageRequest` of its SDK). */
const languages: ReadonlySet<string> = new Set(
  `abap|abc|agda|arduino|ascii art|assembly|bash|basic|bnf|c|c#|c++|clojure|coffeescript|coq|css|
   dart|dhall|diff|docker|ebnf|elixir|elm|erlang|f#|flow|fortran|gherkin|glsl|go|graphql|groovy|
   haskell|hcl|html|idris|java|javascript|json|julia|kotlin|latex|less|lisp|livescript|llvm ir|lua|
   makefile|markdown|markup|matlab|mathematica|mermaid|nix|notion formula|objective-c|ocaml|pascal|
   perl|php|plain text|powershell|prolog|protobuf|purescript|python|r|racket|reason|ruby|rust|sass|
   scala|scheme|scss|shell|smalltalk|solidity|sql|swift|toml|typescript|vb.net|verilog|vhdl|
   visual basic|webassembly|xml|yaml|java/c/c++/c#`
    .split('|')
    .map((name) => name.trim()),
);

/** What people write in its place. */
const aliases: Readonly<Record<string, string>> = {
  bat: 'powershell',
  cpp: 'c++',
  cs: 'c#',
  csharp: 'c#',
  dockerfile: 'docker',
  golang: 'go',
  js: 'javascript',
  jsx: 'javascript',
  md: 'markdown',
  py: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shell',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
  zsh: 'shell',
};

/** The language of a block of code in Notion's words; one that Notion does not know is plain text. */
export function readCodeLanguage(lang = ''): string {
  const name = lang.trim().toLowerCase();
  const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? '') : name;
  return languages.has(known) ? known : 'plain text';
}
