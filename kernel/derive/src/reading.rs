//! The code that reads a type from a node of parsed JSON.

use crate::attributes::{Attributes, Case, Missing};
use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{Data, DataEnum, DeriveInput, Error, Field, Fields, GenericParam, Result, Token, Variant};

pub(crate) fn implementation(input: &DeriveInput) -> Result<TokenStream> {
    let own = Attributes::of(&input.attrs)?;
    let name = &input.ident;
    let body = match &input.data {
        Data::Struct(data) => structure(&name.to_string(), &own, &data.fields)?,
        Data::Enum(data) => enumeration(&name.to_string(), &own, data)?,
        Data::Union(_) => return Err(Error::new_spanned(name, "a union can't be read from JSON")),
    };
    let read = quote! {
        #[allow(unused_mut, unused_variables)]
        fn read(node: ::kernel::json::Node) -> ::core::result::Result<Self, ::kernel::json::Fault> { #body }
    };
    let mut generics = input.generics.clone();
    for parameter in &mut generics.params {
        if let GenericParam::Type(parameter) = parameter {
            parameter.bounds.push(syn::parse_quote!(::kernel::json::Read));
        }
    }
    let (_, types, bounds) = input.generics.split_for_impl();
    let mut of_serde = generics.clone();
    of_serde.params.insert(0, syn::parse_quote!('de));
    let (parameters, of_serde) = (generics.split_for_impl().0, of_serde.split_for_impl().0);
    Ok(quote! {
        #[automatically_derived]
        impl #parameters ::kernel::json::Read for #name #types #bounds { #read }

        #[automatically_derived]
        impl #of_serde ::serde::Deserialize<'de> for #name #types #bounds {
            fn deserialize<From: ::serde::Deserializer<'de>>(
                from: From,
            ) -> ::core::result::Result<Self, From::Error> {
                ::kernel::json::deserialize(from)
            }
        }
    })
}

fn structure(name: &str, own: &Attributes, fields: &Fields) -> Result<TokenStream> {
    match fields {
        Fields::Named(named) if own.is_transparent => {
            let inner = named.named.first().and_then(|field| field.ident.as_ref());
            Ok(quote! { ::kernel::json::Read::read(node).map(|#inner| Self { #inner }) })
        }
        Fields::Named(named) => {
            let expected = format!("struct {name}");
            let read = members(&quote!(Self), own, own.rename_all, &named.named)?;
            Ok(quote! { let mut members = node.members(#expected)?; #read })
        }
        Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => {
            Ok(quote! { ::kernel::json::Read::read(node).map(Self) })
        }
        _ => Err(Error::new_spanned(
            fields,
            "this derive reads structures with named fields, or with a single one",
        )),
    }
}

/// Reads the fields of `what`, a structure or a variant, from `members`.
fn members(
    what: &TokenStream,
    own: &Attributes,
    case: Option<Case>,
    fields: &Punctuated<Field, Token![,]>,
) -> Result<TokenStream> {
    let (mut plain, mut flat, mut names) = (Vec::new(), Vec::new(), Vec::new());
    let has_default = matches!(own.missing, Missing::Default);
    for field in fields {
        let attributes = Attributes::of(&field.attrs)?;
        let ident =
            field.ident.as_ref().ok_or_else(|| Error::new_spanned(field, "a field without a name"))?;
        let rust = ident.to_string();
        let name = attributes.name(rust.trim_start_matches("r#"), case);
        let by = attributes.read_by.as_ref();
        let by = by.map_or_else(|| quote!(::kernel::json::Read::read), |path| quote!(#path));
        let value = match &attributes.missing {
            _ if attributes.is_flat => {
                flat.push(quote! { #ident: #by(::kernel::json::Node::Object(members))? });
                continue;
            }
            Missing::Fault if attributes.is_skipped && has_default => quote! { default.#ident },
            _ if attributes.is_skipped => quote! { ::core::default::Default::default() },
            Missing::Fault if has_default => quote! { members.read(#name, #by)?.unwrap_or(default.#ident) },
            Missing::Fault if attributes.read_by.is_some() => quote! { members.required(#name, #by)? },
            Missing::Fault => quote! { members.member(#name)? },
            Missing::Default => quote! { members.read(#name, #by)?.unwrap_or_default() },
            Missing::By(path) => quote! { members.read(#name, #by)?.unwrap_or_else(#path) },
        };
        if !attributes.is_skipped {
            names.push(name);
        }
        plain.push(quote! { #ident: #value });
    }
    if flat.len() > 1 {
        return Err(Error::new_spanned(fields, "only one field can be flattened"));
    }
    let default =
        has_default.then(|| quote! { let default = <Self as ::core::default::Default>::default(); });
    let value = quote! { #what { #(#plain,)* #(#flat,)* } };
    Ok(if own.denies_unknown {
        quote! { #default let value = #value; members.end(&[#(#names),*])?; ::core::result::Result::Ok(value) }
    } else {
        quote! { #default ::core::result::Result::Ok(#value) }
    })
}

fn enumeration(name: &str, own: &Attributes, data: &DataEnum) -> Result<TokenStream> {
    let is_plain = own.tag.is_none() && data.variants.iter().all(|one| matches!(one.fields, Fields::Unit));
    let (mut names, mut reads, mut other) = (Vec::new(), Vec::new(), None);
    for variant in &data.variants {
        let attributes = Attributes::of(&variant.attrs)?;
        if attributes.is_untagged {
            let ident = &variant.ident;
            other = Some(quote! { ::kernel::json::Read::read(node).map(Self::#ident) });
        } else if !attributes.is_skipped {
            names.push(attributes.name(&variant.ident.to_string(), own.rename_all));
            let is_open = is_plain || own.tag.is_some() && own.content.is_none();
            reads.push(if is_open {
                open(variant, &attributes)?
            } else {
                contained(name, variant, &attributes)?
            });
        }
    }
    let other = match (&own.tag, other) {
        (Some(tag), Some(other)) => quote! { if !node.is_tagged(#tag, &[#(#names),*]) { return #other; } },
        (None, Some(_)) => {
            return Err(Error::new_spanned(&data.variants, "this derive doesn't read untagged enums"));
        }
        (_, None) => quote!(),
    };
    let start = match (&own.tag, &own.content) {
        (Some(tag), None) => {
            let expected = format!("internally tagged enum {name}");
            quote! { let (index, mut members) = node.tagged(#expected, #tag, &[#(#names),*])?; }
        }
        (Some(tag), Some(content)) => {
            let expected = format!("adjacently tagged enum {name}");
            quote! { let (index, content) = node.adjacent(#expected, #tag, #content, &[#(#names),*])?; }
        }
        _ if is_plain => quote! { let index = node.unit_variant(&[#(#names),*])?; },
        _ => quote! { let (index, content) = node.variant(&[#(#names),*])?; },
    };
    let last = reads.pop().unwrap_or_else(|| quote! { ::core::unreachable!("no variant") });
    let indices = 0..reads.len();
    Ok(quote! { #other #start match index { #(#indices => #reads,)* _ => #last } })
}

/// Reads a variant whose fields, if it has any, are in the object that its tag is in.
fn open(variant: &Variant, attributes: &Attributes) -> Result<TokenStream> {
    let ident = &variant.ident;
    match &variant.fields {
        Fields::Unit => Ok(quote! { ::core::result::Result::Ok(Self::#ident) }),
        Fields::Named(named) => {
            let read = members(&quote!(Self::#ident), attributes, attributes.rename_all, &named.named)?;
            Ok(quote! { { #read } })
        }
        Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => Ok(quote! {
            ::kernel::json::Read::read(::kernel::json::Node::Object(members)).map(Self::#ident)
        }),
        Fields::Unnamed(_) => Err(Error::new_spanned(variant, "no variant of a tagged enum is a tuple")),
    }
}

/// Reads a variant from what is beside its name.
fn contained(name: &str, variant: &Variant, attributes: &Attributes) -> Result<TokenStream> {
    let ident = &variant.ident;
    match &variant.fields {
        Fields::Unit => Ok(quote! { content.unit().map(|()| Self::#ident) }),
        Fields::Named(named) => {
            let expected = format!("struct variant {name}::{ident}");
            let read = members(&quote!(Self::#ident), attributes, attributes.rename_all, &named.named)?;
            Ok(quote! {
                content.read("struct variant", |node| { let mut members = node.members(#expected)?; #read })
            })
        }
        Fields::Unnamed(unnamed) if unnamed.unnamed.len() == 1 => Ok(quote! {
            content.read("newtype variant", |node| ::kernel::json::Read::read(node).map(Self::#ident))
        }),
        Fields::Unnamed(unnamed) => {
            let fields = &unnamed.unnamed;
            let names: Vec<_> =
                (0..fields.len()).map(|place| quote::format_ident!("field_{place}")).collect();
            Ok(quote! {
                content.read("tuple variant", |node| {
                    ::kernel::json::Read::read(node).map(|(#(#names),*)| Self::#ident(#(#names),*))
                })
            })
        }
    }
}
