/** The part of mailparser that is used here; the package brings no types of its own. */
declare module 'mailparser' {
  interface AddressObject {
    readonly text: string;
  }

  interface ParsedMail {
    readonly from?: AddressObject;
    readonly to?: AddressObject | readonly AddressObject[];
    readonly subject?: string;
    readonly messageId?: string;
    readonly text?: string;
    readonly html?: string | false;
    readonly headerLines: readonly { readonly key: string; readonly line: string }[];
    readonly attachments: readonly {
      readonly filename?: string;
      readonly contentType: string;
      readonly size: number;
    }[];
  }

  interface ParseOptions {
    readonly skipHtmlToText?: boolean;
    readonly skipImageLinks?: boolean;
    readonly skipTextToHtml?: boolean;
  }

  export function simpleParser(raw: Buffer, options?: ParseOptions): Promise<ParsedMail>;
}
