//! The program: one line with the URL, or one error per wrong argument.

mod common;

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_flipside-standin"))
}

#[test]
fn it_prints_its_url_and_serves() {
    let arguments = [
        "--policy",
        "slot:2",
        "--dialect",
        "predict",
        "--delay",
        "1ms",
        "--fault",
        "status:500@nth:2",
    ];
    let mut child = program()
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    let (origin, path) = line
        .trim()
        .trim_start_matches("http://")
        .split_once('/')
        .unwrap();
    assert_eq!(path, "predict");
    let body = common::choice("s", &common::ABC);
    let mut replies = Vec::new();
    for _ in 0..2 {
        let mut stream = std::net::TcpStream::connect(origin).unwrap();
        let head = format!(
            "POST /predict HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        std::io::Write::write_all(&mut stream, (head + &body).as_bytes()).unwrap();
        let mut reply = String::new();
        std::io::Read::read_to_string(&mut stream, &mut reply).unwrap();
        replies.push(reply);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(replies[0].contains("\"choice\":\"beta\""), "{}", replies[0]);
    assert!(replies[0].contains("connection: close"));
    assert!(replies[1].starts_with("HTTP/1.1 500 "), "{}", replies[1]);
}

#[test]
fn every_wrong_argument_gets_its_error() {
    let arguments = [
        "--policy",
        "slot:0",
        "--dialect",
        "x",
        "--delay",
        "3",
        "--fault",
        "status:500@never",
        "--port",
        "70000",
        "--round",
        "16",
        "--setting",
        "coverage:2",
        "--threads",
        "many",
    ];
    let output = program().args(arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors.lines().count(), 8, "{errors}");
    for flag in [
        "--policy",
        "--dialect",
        "--delay",
        "--fault",
        "--port",
        "--round",
        "--setting",
        "--threads",
    ] {
        assert!(errors.contains(&format!("error: {flag}: ")), "{errors}");
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn the_help_lists_the_policies_and_settings() {
    let output = program().arg("--help").output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    assert!(help.contains(flipside_standin::Policy::HELP), "{help}");
    assert!(help.contains(flipside_standin::Setting::HELP), "{help}");
}
